import type { Usage } from "../agent/agent-event.js";
import { isFields } from "../arguments/fields.js";
import { invalid } from "../arguments/invalid.js";

/** Adds up the usage of a turn. */
export class UsageSum {
  readonly #counters = new Map<string, number>();

  /** Refuses usage that the session could not count: the commit that ends the turn would fail. */
  add(usage: Usage): void {
    if (!isFields(usage)) throw invalid("event.usage", "must be an object.");
    for (const [name, value] of Object.entries(usage)) {
      if (value === undefined) continue;
      const sum = Number.isSafeInteger(value) ? (this.#counters.get(name) ?? 0) + value : Number.NaN;
      if (!Number.isSafeInteger(sum))
        throw invalid(`event.usage.${name}`, `must be a whole number, not ${String(value)}.`);
      this.#counters.set(name, sum);
    }
  }

  get counters(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counters);
  }
}
