import {
  type CommitOutcome,
  type CommitRequest,
  type SessionBackend,
  SessionError,
} from "@sessions/protocol/backend";

/** What an instance was told of sessions: a session that is behind it has been lost. */
export class Acknowledged {
  readonly #revisions = new Map<string, number>();
  readonly #backend: SessionBackend;

  constructor(backend: SessionBackend) {
    this.#backend = backend;
  }

  note({ sessionId, ops }: CommitRequest, outcome: CommitOutcome): void {
    if (outcome.status !== "applied") return;
    if (ops.some(({ op }) => op === "delete")) this.#revisions.delete(sessionId);
    else this.#revisions.set(sessionId, outcome.revision);
  }

  /** Throws DATA_LOST if it was lost. A caller who gets it knows: only background work leaves it for the next. */
  async check(sessionId: string, background: boolean): Promise<void> {
    const expected = this.#revisions.get(sessionId);
    if (expected === undefined) return;
    const actual = (await this.#backend.read(sessionId, { messages: "none" }))?.revision ?? 0;
    if (actual >= expected) return;
    if (!background) this.#revisions.delete(sessionId);
    throw SessionError.of("DATA_LOST", `Session "${sessionId}" was acknowledged and is gone.`, {
      sessionId,
      expected,
      actual,
    });
  }
}
