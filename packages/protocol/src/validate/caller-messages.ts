import type { Limits } from "../arguments/limits.js";
import { requireItems } from "../arguments/lists.js";
import { isDeeplyFrozen } from "../json/frozen.js";
import { type CheckedMessage, requireMessage } from "./checked-message.js";

/**
 * Messages that a caller gives, many of which it may have got from the store. Those are frozen, and need no check and
 * no copy if the session still holds that very object; so what is frozen is checked when it turns out to be needed.
 */
export class CallerMessages {
  readonly #values: readonly unknown[];
  readonly #drafts: (CheckedMessage | undefined)[] = [];
  readonly #path: string;
  readonly #limits: Limits;

  constructor(value: unknown, path: string, limits: Limits) {
    this.#path = path;
    this.#limits = limits;
    // What the caller may still change is copied now.
    this.#values = requireItems(value, path, limits, (message, at) => {
      this.#drafts.push(isGivenOut(message) ? undefined : this.#check(message, at));
      return message;
    });
  }

  get length(): number {
    return this.#values.length;
  }

  /** Whether the caller gave this very object. */
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

  /** All of them, checked and copied. */
  all(): readonly CheckedMessage[] {
    return this.#values.map((_, index) => this.at(index));
  }
}

/** Whether a value may be one that the store gave out: nobody can change it between the call and the check. */
function isGivenOut(value: unknown): boolean {
  return typeof value === "object" && isDeeplyFrozen(value);
}
