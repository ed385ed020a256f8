import type { JsonObject } from "@sessions/json-file";
import type { RunnerTurn } from "@sessions/managed-agent";

/**
 * The agent's state as a running turn sees it: what was stored when it began, and over that what its tools have changed.
 * Changes become durable with the commit that ends the turn, together with the answer that tells of them.
 */
export class DraftState {
  readonly #turnId: string;
  readonly #values: Map<string, JsonObject[string]>;
  #changes: JsonObject = {};

  constructor(turn: Pick<RunnerTurn, "state" | "turnId">) {
    this.#turnId = turn.turnId;
    this.#values = new Map(Object.entries(turn.state));
  }

  entries(): readonly (readonly [string, JsonObject[string]])[] {
    return [...this.#values];
  }

  set(key: string, value: JsonObject[string]): void {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, value);
    this.#changes = { ...this.#changes, [key]: value };
  }

  /** A key that no other turn uses, and that the same turn uses again when it is retried. */
  newKey(prefix: string): string {
    for (let number = 1; ; number++) {
      const key = `${prefix}${this.#turnId}:${number}`;
      if (!this.#values.has(key)) return key;
    }
  }

  /** What has changed since the last call; `undefined` if nothing has. */
  takeChanges(): JsonObject | undefined {
    const changes = this.#changes;
    this.#changes = {};
    return Object.keys(changes).length === 0 ? undefined : changes;
  }
}
