import type { Clock } from "@sessions/protocol";
import { Deadline } from "@sessions/turn-runner";
import { lateError } from "./late-error.js";

/** How long an update may take in all. Its signal aborts when the time is over, or when the caller aborts. */
export class UpdateDeadline {
  /** Named in the error, once it is known. */
  sessionId: string | undefined;
  readonly #deadline: Deadline;

  constructor(clock: Clock, ms: number, signal?: AbortSignal) {
    this.#deadline = new Deadline({ clock, ms, signal, error: () => lateError(ms, this.sessionId) });
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  get leftMs(): number {
    return this.#deadline.leftMs;
  }

  end(): void {
    this.#deadline.end();
  }
}
