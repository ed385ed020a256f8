import type { Clock } from "@sessions/protocol";
import { forwardAbort } from "./forward-abort.js";
import { raceAbort } from "./race-abort.js";

/** How long something may take, and what else ends it. */
export interface DeadlineOptions {
  readonly clock: Clock;
  readonly ms: number;
  /** Ends it earlier, with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** The error once the time is over. */
  readonly error: () => unknown;
}

/** A signal that aborts after a time, or when the caller aborts. Call `end` when the work is done. */
export class Deadline {
  readonly #clock: Clock;
  readonly #expiresAt: number;
  readonly #controller = new AbortController();
  readonly #cancelTimer: () => void;
  readonly #unlink: () => void;

  constructor({ clock, ms, signal, error }: DeadlineOptions) {
    this.#clock = clock;
    this.#expiresAt = clock.monotonic() + ms;
    this.#cancelTimer = clock.after(ms, () => this.#controller.abort(error()));
    this.#unlink = forwardAbort(signal, this.#controller);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get leftMs(): number {
    return Math.max(1, Math.ceil(this.#expiresAt - this.#clock.monotonic()));
  }

  end(): void {
    this.#cancelTimer();
    this.#unlink();
  }
}

/** Calls a function of the user with a deadline. One that is late is left behind: its result and its error are ignored. */
export async function withDeadline<Value>(
  options: DeadlineOptions,
  call: () => Value | PromiseLike<Value>,
): Promise<Awaited<Value>> {
  const deadline = new Deadline(options);
  try {
    return await raceAbort(deadline.signal, call);
  } finally {
    deadline.end();
  }
}
