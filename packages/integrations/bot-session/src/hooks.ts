import type { Clock } from "@sessions/protocol";
import { notify, requireFunction, withDeadline } from "@sessions/turn-runner";
import { lateError } from "./late-error.js";
import type { BotSessionOptions, ConversationEnd, ConversationStart, ErrorPlace } from "./options.js";

/** Calls the hooks of the user. An error of a hook fails no turn; it goes to `onError`. */
export class Hooks {
  readonly #clock: Clock;
  readonly #maxMs: number;
  readonly #onStart: BotSessionOptions["onSessionStart"];
  readonly #onEnd: BotSessionOptions["onSessionEnd"];
  readonly #onError: BotSessionOptions["onError"];

  /** A hook may take a quarter of `deadlineMs`, so that the update can still be answered after one that hangs. */
  constructor(
    { onSessionStart, onSessionEnd, onError }: BotSessionOptions,
    { clock, deadlineMs }: { readonly clock: Clock; readonly deadlineMs: number },
  ) {
    this.#clock = clock;
    this.#maxMs = deadlineMs / 4;
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

  async ended(end: ConversationEnd, signal?: AbortSignal): Promise<void> {
    await this.#call(end.sessionId, signal, () => this.#onEnd?.(end));
  }

  failed(error: unknown, place: ErrorPlace): void {
    notify(() => this.#onError?.(error, place));
  }

  async #call(sessionId: string, signal: AbortSignal | undefined, hook: () => unknown): Promise<void> {
    const error = (): Error => lateError(this.#maxMs, sessionId);
    try {
      await withDeadline({ clock: this.#clock, ms: this.#maxMs, signal, error }, hook);
    } catch (failure) {
      this.failed(failure, { during: "hook", sessionId });
    }
  }
}
