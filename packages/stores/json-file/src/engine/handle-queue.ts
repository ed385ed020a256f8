import { SessionError } from "@sessions/protocol";
import { hasCode } from "./has-code.js";

/** Whether a call failed because this process, or the whole system, has no file handle left. */
export function lacksHandles(error: unknown): boolean {
  return hasCode(SessionError.is(error, "STORE_UNAVAILABLE") ? error.cause : error, "EMFILE", "ENFILE");
}

/**
 * Calls of one store that share the handles of the process. A call that gets none runs again after another call of the
 * store has ended, as long as there is one.
 */
export class HandleQueue {
  /** Calls that are under way and do not wait: each may hold handles. */
  #active = 0;
  /** How many calls have ended that may have held handles. */
  #ended = 0;
  readonly #waiting: (() => void)[] = [];

  /** Does the work, and does it again as long as there are no handles for it. Work that lacks them has changed nothing. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const endedBefore = this.#ended;
      this.#active++;
      try {
        const result = await work();
        this.#end(true);
        return result;
      } catch (error) {
        this.#end(!lacksHandles(error));
        if (!lacksHandles(error)) throw error;
        const othersHaveEnded = this.#ended > endedBefore;
        if (!othersHaveEnded && this.#active === 0) throw error;
        if (!othersHaveEnded) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    }
  }

  /** A call that got no handles has none to give back: it wakes up another only if no other call would. */
  #end(mayHaveHeld: boolean): void {
    this.#active--;
    if (mayHaveHeld) this.#ended++;
    if (mayHaveHeld || this.#active === 0) this.#waiting.shift()?.();
  }
}
