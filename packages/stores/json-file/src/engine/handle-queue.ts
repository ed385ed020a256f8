import { SessionError } from "@sessions/protocol";
import { hasCode } from "./has-code.js";

/** Whether a call failed because this process, or the whole system, has no file handle left. */
export function lacksHandles(error: unknown): boolean {
  return hasCode(SessionError.is(error, "STORE_UNAVAILABLE") ? error.cause : error, "EMFILE", "ENFILE");
}

/**
 * Calls of one store that share the handles of the process. A call that gets none waits until another call of the store has
 * ended, as long as there is one.
 */
export class HandleQueue {
  /** Calls that are under way and do not wait: each may hold handles. */
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  /** Does the work, and does it again as long as there are no handles for it. Work that lacks them has changed nothing. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#active++;
    return work().then(
      (result) => {
        this.#ended(true);
        return result;
      },
      (error: unknown) => {
        this.#ended(!lacksHandles(error));
        if (lacksHandles(error) && this.#active > 0) return this.#afterAnother(work);
        throw error;
      },
    );
  }

  async #afterAnother<Result>(work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.run(work);
  }

  /** A call that got no handles has none to give back: it wakes up another only where nobody else would. */
  #ended(gaveBack: boolean): void {
    this.#active--;
    if (gaveBack || this.#active === 0) this.#waiting.shift()?.();
  }
}
