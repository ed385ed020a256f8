import type { Limits } from "../arguments/limits.js";
import { requireItems } from "../arguments/lists.js";
import { isDeeplyFrozen } from "../json/frozen.js";
import { type CheckedMessage, requireMessage } from "./checked-message.js";

/**
 * Messages that a caller passes. Many of them may come from the store. Those are frozen, and need neither a check nor a
 * copy if the session still contains the same object. So frozen messages are checked only when they are needed.
 */
export class CallerMessages {
  readonly #values: readonly unknown[];
  readonly #drafts: (CheckedMessage | undefined)[] = [];
  readonly #path: string;
  readonly #limits: Limits;

  constructor(value: unknown, path: string, limits: Limits) {
    this.#path = path;
    this.#limits = limits;
    // Copied now, because the caller may still change it.
    this.#values = requireItems(value, path, limits, (message, at) => {
      this.#drafts.push(mayBeFromStore(message) ? undefined : this.#check(message, at));
      return message;
    });
  }

  get length(): number {
    return this.#values.length;
  }

  /** Whether the caller passed this same object. */
  is(index: number, message: object | undefined): boolean {
    return message !== undefined && this.#values[index] === message;
  }

  /** A message, checked and copied. */
  at(index: number): CheckedMessage {
    const known = this.#drafts[index];
    if (known !== undefined) return known;
    const draft = this.#check(this.#values[index], `${this.#path}[${index}]`);
    this.#drafts[index] = draft;
    return draft;
  }

  #check(message: unknown, path: string): CheckedMessage {
    return requireMessage(message, path, this.#limits);
  }

  /** All messages, checked and copied. */
  all(): readonly CheckedMessage[] {
    return this.#values.map((_, index) => this.at(index));
  }
}

/** Whether a value may come from the store. It is deeply frozen, so it cannot change between the call and the check. */
function mayBeFromStore(value: unknown): boolean {
  return typeof value === "object" && isDeeplyFrozen(value);
}
