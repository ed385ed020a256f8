import type { JsonObject } from "@sessions/json-file";
import type { RunnerTurn } from "@sessions/managed-agent";

/**
 * The agent's state during a turn: the stored state with the changes of the turn's tools. The commit that ends the turn stores the
 * changes together with the answer.
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

  /** A key that is unique to this turn, and the same when the turn is retried. */
  newKey(prefix: string): string {
    for (let number = 1; ; number++) {
      const key = `${prefix}${this.#turnId}:${number}`;
      if (!this.#values.has(key)) return key;
    }
  }

  /** The changes since the last call, or `undefined`. */
  takeChanges(): JsonObject | undefined {
    const changes = this.#changes;
    this.#changes = {};
    return Object.keys(changes).length === 0 ? undefined : changes;
  }
}
