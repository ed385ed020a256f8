import type { Usage } from "../agent-event.js";
import { invalid, isRecord } from "../argument.js";

/** Adds up what a turn uses. */
export class UsageSum {
  readonly #counters = new Map<string, number>();

  /** Refused at once if it cannot be counted: at the end of the turn it would be too late. */
  add(usage: Usage): void {
    if (!isRecord(usage)) throw invalid("event.usage", "must be an object.");
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
