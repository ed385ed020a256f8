import type { Message } from "@sessions/protocol/backend";
import { type Run, Runs } from "@sessions/row-engine";
import { Deadline } from "../engine/deadline.js";
import { listOf } from "../engine/reply.js";
import { PRUNE } from "../engine/scripts.js";
import type { Argument } from "../engine/server.js";
import { FIELDS } from "../keys/fields.js";
import type { RedisContext } from "../redis-context.js";
import { readRow } from "../session/row-text.js";
import type { SessionEntry } from "../session/session-entry.js";
import { withoutReleased } from "../session/unused-rows.js";
import { runCommit } from "./run-commit.js";
import { stateWrite } from "./state-write.js";

const ROWS_AT_ONCE = 500;
const WRITE_TRIES = 3;

/**
 * Removes rows that nothing refers to any more, after the commit that released them. A session's state lists them until they are gone:
 * if this process dies, the next commit goes on.
 */
export class RowCollector {
  readonly #context: RedisContext;
  readonly #waiting = new Set<string>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  soon(sessionId: string): void {
    if (this.#isStopped) return;
    this.#waiting.add(sessionId);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** What is not removed yet is left to others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const sessionId of this.#waiting) {
      this.#waiting.delete(sessionId);
      try {
        await this.#collect(sessionId);
        this.#context.warnings.clear("unused rows");
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        this.#context.warnings.set("unused rows", `Rows that nothing uses are removed later: ${problem}`);
      }
    }
  }

  async #collect(sessionId: string): Promise<void> {
    const entry = await this.#read(sessionId);
    const released = entry.content?.unused.released ?? [];
    const life = entry.head?.life;
    if (life === undefined || released.length === 0) return;
    const rows = new Runs(released).rows();
    for (let from = 0; from < rows.length && !this.#isStopped; from += ROWS_AT_ONCE)
      await this.#prune(sessionId, life, rows.slice(from, from + ROWS_AT_ONCE));
    if (!this.#isStopped) await this.#note(sessionId, life, released);
  }

  async #prune(sessionId: string, life: string, rows: readonly number[]): Promise<void> {
    const { server, keys } = this.#context;
    const { record, session } = keys.session(sessionId);
    const fields = rows.map((row) => `${FIELDS.ROW}${row}`);
    const texts = await server.query(this.#deadline, (client) => client.hmget(session, ...fields));
    const args: Argument[] = [life];
    for (const [index, row] of rows.entries()) {
      const text = texts[index];
      if (text == null) continue; // it is gone already
      const message: Message = readRow(text, [], `row ${row} of session ${sessionId}`).message;
      args.push(row, message.id);
    }
    if (args.length > 1) listOf(await server.runRetryable(PRUNE, [record, session], args, this.#deadline));
  }

  /** The rows are gone: they need not be listed any more. */
  async #note(sessionId: string, life: string, removed: readonly Run[]): Promise<void> {
    for (let tries = 0; tries < WRITE_TRIES; tries++) {
      const entry = await this.#read(sessionId);
      if (entry.head?.life !== life || entry.content === undefined) return;
      const unused = withoutReleased(entry.content.unused, removed);
      const write = stateWrite(entry, this.#context.nonce(), entry.head.nextRow, unused);
      this.#context.cache.forget(sessionId);
      const [status] = await runCommit(this.#context, sessionId, write, this.#deadline);
      if (status === "ok") return;
    }
  }

  #read(sessionId: string): Promise<SessionEntry> {
    const { sessions } = this.#context;
    return sessions.read(sessionId, { background: true }, this.#deadline, ({ entry }) => entry);
  }

  get #deadline(): Deadline {
    return new Deadline(this.#context.clock, this.#context.deadlineMs);
  }
}
