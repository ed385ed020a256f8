import {
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  type Operation,
  type SessionState,
  stateAt,
  TOMBSTONE_MS,
} from "@sessions/protocol";
import { corrupted, isDamage } from "./error-mapping.js";
import type { MessageRows } from "./message-rows.js";
import type { SessionReader } from "./session-reader.js";
import { writeSession } from "./session-writer.js";
import type { Sessions } from "./sessions.js";
import type { Staged } from "./staging.js";
import type { Statements } from "./statements.js";
import type { StoredSession } from "./stored-session.js";
import { TransactionEffects } from "./transaction-effects.js";

/** What commits work with. */
export interface CommitContext {
  readonly statements: Statements;
  readonly sessions: Sessions;
  readonly reader: SessionReader;
  readonly rows: MessageRows;
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

/**
 * The requests of one transaction. They are decided in memory first, one after the other, so that one that is refused has
 * written nothing. Then each session is written once, however many of them changed it.
 */
export class CommitBatch {
  readonly #context: CommitContext;
  readonly #staged: Staged;
  readonly #touched = new Map<string, Touched>();
  readonly #effects: TransactionEffects[] = [];
  readonly #written: StoredSession[] = [];
  readonly outcomes: CommitOutcome[] = [];

  constructor(context: CommitContext, staged: Staged) {
    this.#context = context;
    this.#staged = staged;
  }

  get written(): readonly StoredSession[] {
    return this.#written;
  }

  decide(request: CommitRequest): void {
    try {
      this.#decide(request);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.outcomes.push(this.#damaged(request.sessionId, error));
    }
  }

  /** Writes what was decided. The damage of one session leaves its neighbours' commits in place. */
  write(): void {
    const changed = [...this.#touched.values()].filter(({ applied }) => applied.length > 0);
    for (const touched of changed) {
      // One session alone needs no savepoint: if it cannot be written, nothing is.
      const write = changed.length === 1 ? this.#writeOne : this.#writeApart;
      try {
        write(touched);
      } catch (error) {
        if (!isDamage(error)) throw error;
        for (const index of touched.applied) this.outcomes[index] = this.#damaged(touched.id, error);
      }
    }
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

  readonly #writeOne = ({ id, before, state, ops }: Touched): void => {
    if (state === undefined) return;
    const effects = new TransactionEffects();
    const { shares } = this.#context.sessions;
    const context = { ...this.#context, effects, shares, now: this.#context.now() };
    this.#written.push(writeSession(context, { id, before, after: state, ops, staged: this.#staged }));
    this.#effects.push(effects);
  };

  readonly #writeApart = (touched: Touched): void => {
    const { statements } = this.#context;
    statements.savepoint.run();
    try {
      this.#writeOne(touched);
    } catch (error) {
      statements.rollbackTo.run();
      throw error;
    } finally {
      statements.release.run();
    }
  };

  #damaged(sessionId: string, error: unknown): CommitOutcome {
    return { status: "rejected", error: corrupted(error, this.#context.path, sessionId) };
  }
}

/** What counts of a state: the end of a session is forgotten after a while. */
function remembered(state: SessionState | undefined, at: number): SessionState | undefined {
  const now = stateAt(state, at);
  return now?.status === "deleted" && now.deletedAt + TOMBSTONE_MS <= at ? undefined : state;
}
