import { SessionError, type SessionStore } from "@sessions/protocol";
import { type AgentConfig, type RetryPolicy, retry } from "@sessions/turn-runner";
import { initOf } from "./agent-record.js";

/** Creates the sessions of an agent on their first use. */
export class SessionCreator {
  readonly #store: SessionStore;
  /** Sessions that are known to exist. */
  readonly #existing = new Set<string>();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** The session exists, and need not be created. */
  exists(sessionId: string): void {
    this.#existing.add(sessionId);
  }

  /** Creates the session unless it exists. An existing one is not changed. */
  async ensure(sessionId: string, config: AgentConfig, policy: RetryPolicy): Promise<void> {
    if (this.#existing.has(sessionId)) return;
    try {
      await retry(policy, () => this.#store.createSession(sessionId, initOf(config)));
    } catch (error) {
      if (!SessionError.is(error, "SESSION_EXISTS")) throw error;
    }
    this.#existing.add(sessionId);
  }
}
