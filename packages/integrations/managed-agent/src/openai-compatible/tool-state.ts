import { type JsonObject, jsonify } from "@sessions/protocol";
import { isFields } from "./json-fields.js";
import { invalid } from "./settings.js";

/** The agent's state as the tools of one turn see it: each sees what was changed before it. */
export class ToolState {
  #values: JsonObject;
  #changes: JsonObject = {};

  constructor(values: JsonObject) {
    this.#values = values;
  }

  get values(): JsonObject {
    return this.#values;
  }

  /** Changes keys; `null` clears one. INVALID_ARGUMENT for what is no object, and nothing changes. */
  set(patch: unknown): void {
    if (!isFields(patch)) throw invalid("patch", "must be an object.");
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    const changes = given.map(([key, value]) => [key, jsonify(value)] as const);
    const kept = [...Object.entries(this.#values), ...changes].filter(([, value]) => value !== null);
    const cleared = new Set(changes.filter(([, value]) => value === null).map(([key]) => key));
    this.#values = Object.fromEntries(kept.filter(([key]) => !cleared.has(key)));
    this.#changes = { ...this.#changes, ...Object.fromEntries(changes) };
  }

  /** What was changed since the last time; `undefined` if nothing was. */
  takeChanges(): JsonObject | undefined {
    const changes = this.#changes;
    this.#changes = {};
    return Object.keys(changes).length === 0 ? undefined : changes;
  }
}
