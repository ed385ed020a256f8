import { Deadline } from "./deadline.js";
import type { Stale } from "./list-sessions.js";
import type { Present } from "./moment.js";
import type { RedisContext } from "./redis-context.js";
import { GRACE_MS } from "./session-index.js";
import type { Told } from "./told.js";

/** So much is waiting to be corrected at most: the next list will find the rest. */
const MOST = 500;

/** Corrects the index behind the lists that find it wrong. */
export class Tidying {
  readonly #context: RedisContext;
  readonly #waiting: Stale[] = [];
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  soon(stale: Stale): void {
    if (this.#isStopped || this.#waiting.length >= MOST) return;
    this.#waiting.push(stale);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      for (
        let next = this.#waiting.shift();
        next !== undefined && !this.#isStopped;
        next = this.#waiting.shift()
      )
        await this.#correct(next);
    } catch (error) {
      // It is tidying: lists are right without it.
      const problem = error instanceof Error ? error.message : String(error);
      this.#context.notes.take("tidying", `The index could not be tidied: ${problem}`);
    }
  }

  /**
   * The entry is read first and the session once more after it: whoever creates or changes the session in between changes
   * the entry before, and then nothing is corrected.
   */
  async #correct({ id, set, told }: Stale): Promise<void> {
    const { index, sessions, clock, deadlineMs } = this.#context;
    const deadline = new Deadline(clock, deadlineMs);
    const [entry = ""] = await index.entries([id], deadline);
    const { state, present, now } = await sessions.with(id, { background: true }, deadline, (found) => found);
    if (state?.status !== "live" || present === undefined) return index.leave(id, entry, deadline);
    if (told !== undefined) return this.#forget(told, entry, present, now, deadline);
    if (set !== undefined) return index.leaveSet(id, entry, set, GRACE_MS, deadline);
    // While a lease runs the session may change without the index being told.
    if (entry !== "" && present.head.lease + GRACE_MS < now)
      await index.correct(id, entry, present.head.updatedAt, GRACE_MS, deadline);
  }

  /** What was told so long ago is followed by no commit any more. Then the index says what is so. */
  async #forget(
    { id, at }: Told,
    entry: string,
    { head, content }: Present,
    now: number,
    deadline: Deadline,
  ): Promise<void> {
    const { index, keys } = this.#context;
    if (now - at <= GRACE_MS) return;
    const bound = Math.max(head.lease, head.updatedAt);
    const isCorrect =
      (await index.correct(id, entry, bound, GRACE_MS, deadline)) &&
      (await index.correctCreation(id, entry, content.small.createdAt, GRACE_MS, deadline));
    if (isCorrect) await index.leaveSet(id, entry, keys.shardOf(id).told, GRACE_MS, deadline);
  }
}
