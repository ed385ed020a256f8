import { type Clock, SessionError } from "@sessions/protocol";

/** How long something may take, waiting included. Its signal aborts when that is over, or when the caller aborts. */
export class Deadline {
  /** What the error tells, once it is known. */
  sessionId: string | undefined;
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #until: number;
  readonly #stop = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancel: () => void;

  constructor(clock: Clock, deadlineMs: number, caller?: AbortSignal) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#until = clock.monotonic() + deadlineMs;
    this.#caller = caller;
    this.#cancel = clock.after(deadlineMs, () => this.#stop.abort(this.#tooLate()));
    if (caller?.aborted) this.#called();
    caller?.addEventListener("abort", this.#called, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get leftMs(): number {
    return Math.max(1, Math.ceil(this.#until - this.#clock.monotonic()));
  }

  /** It was in time: nothing aborts any more. */
  end(): void {
    this.#cancel();
    this.#caller?.removeEventListener("abort", this.#called);
  }

  readonly #called = (): void => this.#stop.abort(this.#caller?.reason);

  #tooLate(): SessionError {
    const message = `There was no answer within ${this.#deadlineMs} ms. It may be tried again.`;
    const where = this.sessionId === undefined ? {} : { sessionId: this.sessionId };
    return SessionError.of("TURN_LOST", message, { ...where, reason: "expired" });
  }
}
