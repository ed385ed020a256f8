import { type CommitRequest, type Message, stateAt } from "@sessions/protocol/backend";
import { messagesToStage, StagedMessages } from "@sessions/row-engine";
import { Deadline } from "../engine/deadline.js";
import { listOf } from "../engine/reply.js";
import { STAGE } from "../engine/scripts.js";
import type { Argument } from "../engine/server.js";
import { tooBusy } from "../error-mapping.js";
import { stagedKey } from "../keys/keys.js";
import type { RedisContext } from "../redis-context.js";
import { rowText } from "../session/row-text.js";
import { loadEntry } from "../session/session-entry.js";
import { NotStaged } from "./not-staged.js";
import { runCommit } from "./run-commit.js";
import type { StagedCommit } from "./staged-commit.js";
import { stateWrite } from "./state-write.js";

const ROWS_PER_SLICE = 200;
const CHARACTERS_PER_SLICE = 1_000_000;
/** How long a key of its own is kept for the commit. */
const STAGED_KEY_MS = 3_600_000;
const RESERVE_TRIES = 50;

/** Writes the messages of large commits in slices, before the commits. No history refers to them until then. */
export class Staging {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  /** `undefined` if most of the messages are stored already. */
  async stage(
    sessionId: string,
    request: CommitRequest,
    deadline: Deadline,
  ): Promise<StagedCommit | undefined> {
    const { sessions, cache, share } = this.#context;
    await share.afterOthers(); // checking so many messages has taken a while
    const { state, entry } = await sessions.read(sessionId, {}, deadline, (read) => ({
      entry: read.entry,
      state: stateAt(loadEntry(read.entry, read.rows)?.state, read.entry.now),
    }));
    const goesOn =
      state?.status === "live" &&
      request.ops.every((op) => !("document" in op) || op.document.incarnation === state.incarnation);
    const life = goesOn ? entry.head?.life : undefined;
    const at = entry.now;
    const isStored = (message: Message): boolean =>
      life !== undefined && cache.rowOf(life, message) !== undefined;
    const messages = messagesToStage({ ...request, at }, isStored);
    if (messages.length === 0) return undefined;
    if (life === undefined) return this.#stageApart(sessionId, messages, at);
    const first = await this.#reserve(sessionId, life, messages.length, at, deadline);
    const { record, session } = this.#context.keys.session(sessionId);
    await this.#write([session, record], [life, ""], first, messages);
    return { key: undefined, life, first, messages: new StagedMessages(first, messages), at };
  }

  /** Clears away what the commit has not used. Rows in the session are noted in its state, and go with one of its next commits. */
  async unstage({ key }: StagedCommit, deadline: Deadline): Promise<void> {
    if (key !== undefined) await this.#context.server.query(deadline, (client) => client.unlink(key));
  }

  async #stageApart(sessionId: string, messages: readonly Message[], at: number): Promise<StagedCommit> {
    const { keys, nonce } = this.#context;
    const key = stagedKey(keys.partitionOf(sessionId), nonce());
    await this.#write([key], ["", STAGED_KEY_MS], 0, messages);
    return { key, life: undefined, first: 0, messages: new StagedMessages(0, messages), at };
  }

  /** Takes rows for the messages: appends go on behind them. */
  async #reserve(
    sessionId: string,
    life: string,
    count: number,
    at: number,
    deadline: Deadline,
  ): Promise<number> {
    const { sessions, cache, instanceId, nonce } = this.#context;
    for (let tries = 1; tries <= RESERVE_TRIES && !deadline.isOver; tries++) {
      const hold = tries > 2 ? { instanceId, ms: 250 } : undefined;
      const entry = await sessions.read(sessionId, { hold }, deadline, (read) => read.entry);
      if (entry.head?.life !== life || entry.content === undefined) throw new NotStaged();
      const { nextRow } = entry.head;
      const { unused } = entry.content;
      const staged = [...unused.staged, [nextRow, nextRow + count, at] as const];
      const write = stateWrite(entry, nonce(), nextRow + count, { ...unused, staged });
      cache.forget(sessionId);
      const [status] = await runCommit(this.#context, sessionId, write, deadline);
      if (status === "ok") return nextRow;
    }
    throw tooBusy(sessionId, deadline.passedMs);
  }

  async #write(
    keys: readonly string[],
    head: readonly Argument[],
    first: number,
    messages: readonly Message[],
  ): Promise<void> {
    const { server, clock, deadlineMs, share } = this.#context;
    let args: Argument[] = [...head];
    let characters = 0;
    const flush = async (): Promise<void> => {
      const [status] = listOf(await server.runRetryable(STAGE, keys, args, new Deadline(clock, deadlineMs)));
      if (status !== "ok") throw new NotStaged();
      args = [...head];
      characters = 0;
      await share.continue();
    };
    for (const [index, message] of messages.entries()) {
      const text = rowText(message, 0); // the revision is not known yet: the session's runs will have it
      args.push(first + index, message.id, text);
      characters += text.length;
      if (args.length >= 3 * ROWS_PER_SLICE || characters > CHARACTERS_PER_SLICE) await flush();
    }
    if (args.length > head.length) await flush();
  }
}
