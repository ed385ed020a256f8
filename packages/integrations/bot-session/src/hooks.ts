import type { Clock } from "@sessions/protocol";
import { notify, raceAbort, requireFunction } from "@sessions/turn-runner";
import type { BotSessionOptions, ConversationEnd, ConversationStart, ErrorPlace } from "./options.js";
import { Deadline } from "./update-deadline.js";

/** The user's own functions. What one of them throws fails no turn; it is told to `onError`. */
export class Hooks {
  readonly #clock: Clock;
  readonly #longestMs: number;
  readonly #onStart: BotSessionOptions["onSessionStart"];
  readonly #onEnd: BotSessionOptions["onSessionEnd"];
  readonly #onError: BotSessionOptions["onError"];

  /** One that hangs is left behind in time for the update to be answered all the same: after a quarter of `deadlineMs`. */
  constructor(
    { onSessionStart, onSessionEnd, onError }: BotSessionOptions,
    { clock, deadlineMs }: { readonly clock: Clock; readonly deadlineMs: number },
  ) {
    this.#clock = clock;
    this.#longestMs = deadlineMs / 4;
    if (onSessionStart !== undefined) requireFunction(onSessionStart, "options.onSessionStart");
    if (onSessionEnd !== undefined) requireFunction(onSessionEnd, "options.onSessionEnd");
    if (onError !== undefined) requireFunction(onError, "options.onError");
    this.#onStart = onSessionStart;
    this.#onEnd = onSessionEnd;
    this.#onError = onError;
  }

  async started(start: ConversationStart, signal: AbortSignal): Promise<void> {
    await this.#call(start.sessionId, signal, () => this.#onStart?.(start));
  }

  async ended(end: ConversationEnd, signal: AbortSignal): Promise<void> {
    await this.#call(end.sessionId, signal, () => this.#onEnd?.(end));
  }

  failed(error: unknown, place: ErrorPlace): void {
    notify(() => this.#onError?.(error, place));
  }

  async #call(sessionId: string, signal: AbortSignal, hook: () => unknown): Promise<void> {
    const deadline = new Deadline(this.#clock, this.#longestMs, signal);
    try {
      await raceAbort(deadline.signal, hook);
    } catch (error) {
      this.failed(error, { during: "hook", sessionId });
    } finally {
      deadline.end();
    }
  }
}
