import { type JsonObject, jsonify } from "@sessions/protocol";
import { invalid, isFields } from "@sessions/turn-runner";

/** The agent's state during one turn: each tool sees the changes of the tools before it. */
export class ToolState {
  #values: JsonObject;
  #changes: JsonObject = {};

  constructor(values: JsonObject) {
    this.#values = values;
  }

  get values(): JsonObject {
    return this.#values;
  }

  /** Changes keys; `null` clears one. INVALID_ARGUMENT if the patch is not an object, and nothing changes. */
  set(patch: unknown): void {
    if (!isFields(patch)) throw invalid("patch", "must be an object.");
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    const changes = given.map(([key, value]) => [key, jsonify(value)] as const);
    const kept = [...Object.entries(this.#values), ...changes].filter(([, value]) => value !== null);
    const cleared = new Set(changes.filter(([, value]) => value === null).map(([key]) => key));
    this.#values = Object.fromEntries(kept.filter(([key]) => !cleared.has(key)));
    this.#changes = { ...this.#changes, ...Object.fromEntries(changes) };
  }

  /** The changes since the last call; `undefined` if there are none. */
  takeChanges(): JsonObject | undefined {
    const changes = this.#changes;
    this.#changes = {};
    return Object.keys(changes).length === 0 ? undefined : changes;
  }
}
