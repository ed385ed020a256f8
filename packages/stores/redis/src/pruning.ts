import type { Clock } from "@sessions/protocol";
import { Runs } from "@sessions/row-engine";
import { checkedJson } from "./checked-text.js";
import { Deadline } from "./deadline.js";
import type { Keys } from "./keys.js";
import type { Moment } from "./moment.js";
import type { Notes } from "./notes.js";
import { listOf } from "./reply.js";
import { parseRow } from "./row-text.js";
import { PRUNE } from "./scripts.js";
import type { Server } from "./server.js";
import type { Sessions } from "./sessions.js";
import type { Garbage, SmallState } from "./stored-state.js";

/** So many rows are removed in one go. */
const ROWS_AT_ONCE = 500;

interface PruningContext {
  readonly server: Server;
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly notes: Notes;
  readonly nonce: () => string;
}

/** Removes rows that no history holds any more, behind the commits. What is left behind is found with the next one. */
export class Pruning {
  readonly #context: PruningContext;
  readonly #waiting = new Set<string>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(context: PruningContext) {
    this.#context = context;
  }

  soon(sessionId: string): void {
    if (this.#isStopped) return;
    this.#waiting.add(sessionId);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Nothing is removed any more once this has resolved. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const sessionId of this.#waiting) {
      this.#waiting.delete(sessionId);
      try {
        while (!this.#isStopped && (await this.#pruneSome(sessionId)));
      } catch (error) {
        // It is tidying: the session is in order without it.
        const problem = error instanceof Error ? error.message : String(error);
        this.#context.notes.take("pruning", `Rows that nobody holds could not be removed: ${problem}`);
      }
    }
  }

  /** Whether there is more to do. */
  async #pruneSome(sessionId: string): Promise<boolean> {
    const { server, keys, sessions, clock, deadlineMs, nonce } = this.#context;
    const deadline = new Deadline(clock, deadlineMs);
    const moment = await sessions.with(sessionId, { background: true }, deadline, (found) => found);
    const { present } = moment;
    const plan = planOf(moment);
    if (present === undefined || plan === undefined) return false;
    const { session } = keys.session(sessionId);
    const ids = await this.#idsOf(session, plan.rows, deadline);
    const args = [present.head.incarnation, present.head.version, nonce(), checkedJson(plan.small)];
    const reply = await server.ask(
      PRUNE,
      [session],
      [...args, plan.fields.length, ...plan.fields, ...ids.flat()],
      deadline,
    );
    const [status] = listOf(reply);
    return status === "ok" && plan.isMore;
  }

  async #idsOf(
    session: string,
    rows: readonly number[],
    deadline: Deadline,
  ): Promise<readonly (readonly [number, string])[]> {
    if (rows.length === 0) return [];
    const texts = await this.#context.server.query(deadline, (client) =>
      client.hmget(session, ...rows.map((row) => `m${row}`)),
    );
    return rows.flatMap((row, index) => {
      const text = texts[index];
      return text == null ? [] : [[row, parseRow(text, `${session}, field m${row}`).message.id] as const];
    });
  }
}

interface Plan {
  readonly rows: readonly number[];
  /** Reservations that have run out. */
  readonly fields: readonly string[];
  readonly small: SmallState;
  readonly isMore: boolean;
}

function planOf({ present, now }: Moment): Plan | undefined {
  const garbage = present?.content.small.garbage ?? [];
  const ripe = garbage.filter(({ until }) => until === undefined || until < now);
  if (present === undefined || ripe.length === 0) return undefined;
  const all = new Runs(ripe.map(({ from, to }) => ({ from, to })));
  const rest = all.slice(ROWS_AT_ONCE, all.length).list.map(({ from, to }): Garbage => ({ from, to }));
  const left = [...garbage.filter((one) => !ripe.includes(one)), ...rest];
  const { garbage: _, ...small } = present.content.small;
  return {
    rows: all.slice(0, ROWS_AT_ONCE).rows(),
    fields: ripe.flatMap(({ reserved }) => (reserved === undefined ? [] : [reserved])),
    small: left.length === 0 ? small : { ...small, garbage: left },
    isMore: rest.length > 0,
  };
}
