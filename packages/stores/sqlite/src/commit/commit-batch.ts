import {
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  type Operation,
  type SessionState,
  stateAt,
  TOMBSTONE_MS,
} from "@sessions/protocol/backend";
import { corrupted, isDamage } from "../error-mapping.js";
import type { SessionEntry } from "../session/session-entry.js";
import type { StagedRows } from "./staged-rows.js";
import type { WriteContext } from "./write-context.js";
import { rememberWritten, type WrittenSession, writeSession } from "./write-session.js";

/** One session, as the requests of a batch find it and leave it. */
interface Touched {
  readonly id: string;
  readonly before: SessionEntry | undefined;
  state: SessionState | undefined;
  readonly ops: Operation[];
  isChanged: boolean;
}

/** A session that cannot be written. Its neighbours can: the transaction is begun again without it. */
export class DamagedSession extends Error {
  readonly sessionId: string;

  constructor(sessionId: string, cause: unknown) {
    super(`session ${sessionId} is damaged`, { cause });
    this.sessionId = sessionId;
  }
}

/**
 * The requests of one transaction. All are decided first, one after the other, so that one that is rejected has written
 * nothing. Then each session is written once, however many requests changed it.
 */
export class CommitBatch {
  readonly #context: WriteContext;
  readonly #staged: ReadonlyMap<string, StagedRows>;
  /** Sessions that an earlier attempt could not write, and why. */
  readonly #damaged: ReadonlyMap<string, unknown>;
  readonly #touched = new Map<string, Touched>();
  readonly #written: WrittenSession[] = [];
  readonly outcomes: CommitOutcome[] = [];

  constructor(
    context: WriteContext,
    staged: ReadonlyMap<string, StagedRows>,
    damaged: ReadonlyMap<string, unknown>,
  ) {
    this.#context = context;
    this.#staged = staged;
    this.#damaged = damaged;
  }

  get hasWritten(): boolean {
    return this.#written.length > 0;
  }

  decide(request: CommitRequest): void {
    const { sessionId } = request;
    try {
      const damage = this.#damaged.get(sessionId);
      if (damage !== undefined) throw damage;
      this.#decide(request);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.outcomes.push({ status: "rejected", error: corrupted(error, this.#context.path, sessionId) });
    }
  }

  /** Writes what was decided. Throws `DamagedSession` if one session turns out to be unreadable only now. */
  write(): void {
    for (const touched of this.#touched.values()) if (touched.isChanged) this.#write(touched);
  }

  /** To be called when the transaction is committed: until then nothing has happened. */
  remember(): void {
    for (const written of this.#written) rememberWritten(this.#context, written);
  }

  #decide(request: CommitRequest): void {
    const touched = this.#touch(request.sessionId);
    const { outcome, state } = applyCommit(unlessForgotten(touched.state, request.at), request);
    if (outcome.status === "applied") {
      touched.state = state;
      touched.ops.push(...request.ops);
      touched.isChanged = true;
    }
    this.outcomes.push(outcome);
  }

  #touch(id: string): Touched {
    const known = this.#touched.get(id);
    if (known !== undefined) return known;
    const before = this.#context.sessions.get(id);
    const touched = { id, before, state: before?.state, ops: [], isChanged: false };
    this.#touched.set(id, touched);
    return touched;
  }

  #write({ id, before, state: after, ops }: Touched): void {
    if (after === undefined) return;
    try {
      const staged = this.#staged.get(id);
      this.#written.push(writeSession(this.#context, { id, before, after, ops, staged }));
    } catch (error) {
      throw isDamage(error) ? new DamagedSession(id, error) : error;
    }
  }
}

/** A tombstone counts for a limited time. */
function unlessForgotten(state: SessionState | undefined, at: number): SessionState | undefined {
  const now = stateAt(state, at);
  return now?.status === "deleted" && now.deletedAt + TOMBSTONE_MS <= at ? undefined : state;
}
