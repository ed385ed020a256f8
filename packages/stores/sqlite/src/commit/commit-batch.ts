import {
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  type Operation,
  type SessionState,
  stateAt,
  TOMBSTONE_MS,
} from "@sessions/protocol/backend";
import type { Committed } from "../committed.js";
import { corrupted, isDamage } from "../error-mapping.js";
import type { MessageRows } from "../session/message-rows.js";
import type { SearchIndex } from "../search/search-index.js";
import type { SessionReader } from "../session/session-row.js";
import { writeSession } from "./write-session.js";
import type { Sessions } from "../session/session-cache.js";
import type { Staged } from "../staged.js";
import type { Statements } from "../engine/statements.js";
import type { StoredSession } from "../stored-session.js";
import { TransactionEffects } from "../transaction-effects.js";

/** What commits work with. */
export interface CommitContext {
  readonly statements: Statements;
  readonly sessions: Sessions;
  readonly reader: SessionReader;
  readonly rows: MessageRows;
  readonly search: SearchIndex;
  readonly path: string;
  readonly now: () => number;
}

/** One session, as the requests of a batch find it and leave it. */
interface Touched {
  readonly id: string;
  readonly before: StoredSession | undefined;
  state: SessionState | undefined;
  readonly ops: Operation[];
  /** Which of the outcomes depend on its being written. */
  readonly applied: number[];
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
 * The requests of one transaction. They are decided in memory first, one after the other, so that one that is refused has
 * written nothing. Then each session is written once, however many of them changed it.
 */
export class CommitBatch implements Committed {
  readonly #context: CommitContext;
  readonly #staged: Staged;
  readonly #damagedBefore: ReadonlyMap<string, unknown>;
  readonly #touched = new Map<string, Touched>();
  readonly #effects: TransactionEffects[] = [];
  readonly #written: StoredSession[] = [];
  readonly outcomes: CommitOutcome[] = [];

  /** `damaged`: sessions of which a former attempt has found that they cannot be written. */
  constructor(context: CommitContext, staged: Staged, damaged: ReadonlyMap<string, unknown>) {
    this.#context = context;
    this.#damagedBefore = damaged;
    this.#staged = staged;
  }

  get hasWritten(): boolean {
    return this.#written.length > 0;
  }

  decide(request: CommitRequest): void {
    try {
      const known = this.#damagedBefore.get(request.sessionId);
      if (known !== undefined) throw known;
      this.#decide(request);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.outcomes.push(this.#damaged(request.sessionId, error));
    }
  }

  /** Writes what was decided. Throws `DamagedSession` if one of them turns out to be unreadable only now. */
  write(): void {
    for (const touched of this.#touched.values()) if (touched.applied.length > 0) this.#writeOne(touched);
  }

  /** Once it is committed. */
  remember(): void {
    for (const effects of this.#effects) effects.remember(this.#context.rows.cache);
    for (const session of this.#written) this.#context.sessions.put(session);
  }

  #decide(request: CommitRequest): void {
    const touched = this.#touch(request.sessionId);
    const before = remembered(touched.state, request.at);
    const { outcome, state } = applyCommit(before, request);
    if (outcome.status === "applied") {
      touched.state = state;
      touched.ops.push(...request.ops);
      touched.applied.push(this.outcomes.length);
    }
    this.outcomes.push(outcome);
  }

  #touch(id: string): Touched {
    const known = this.#touched.get(id);
    if (known !== undefined) return known;
    const before = this.#context.sessions.get(id);
    const touched = { id, before, state: before?.state, ops: [], applied: [] };
    this.#touched.set(id, touched);
    return touched;
  }

  #writeOne({ id, before, state, ops }: Touched): void {
    if (state === undefined) return;
    const { statements, rows, sessions, reader, search, now } = this.#context;
    const effects = new TransactionEffects();
    const context = { statements, rows, sessions, reader, search, effects, now: now() };
    try {
      this.#written.push(
        writeSession(context, { id, before, after: state, ops, staged: this.#staged.get(id) }),
      );
      this.#effects.push(effects);
    } catch (error) {
      throw isDamage(error) ? new DamagedSession(id, error) : error;
    }
  }

  #damaged(sessionId: string, error: unknown): CommitOutcome {
    return { status: "rejected", error: corrupted(error, this.#context.path, sessionId) };
  }
}

/** What counts of a state: the end of a session is forgotten after a while. */
function remembered(state: SessionState | undefined, at: number): SessionState | undefined {
  const now = stateAt(state, at);
  return now?.status === "deleted" && now.deletedAt + TOMBSTONE_MS <= at ? undefined : state;
}
