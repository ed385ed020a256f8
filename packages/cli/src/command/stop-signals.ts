import { EXIT } from "./exit-code.js";

/** Ends a command from outside: the reason that its signal aborts with. */
export class Stopped extends Error {
  override readonly name: string = "Stopped";
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super("Stopped.");
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}

/** What can be listened to for signals: the process. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM", listener: (signal: "SIGINT" | "SIGTERM") => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: (signal: "SIGINT" | "SIGTERM") => void): unknown;
  exit(code: number): never;
}

/** The first Ctrl-C lets the work in hand be finished; a second one does not wait for it. */
export function stoppable(source: SignalSource): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const stop = (signal: "SIGINT" | "SIGTERM"): void => {
    const reason = new Stopped(signal);
    if (controller.signal.aborted) source.exit(reason.exitCode);
    controller.abort(reason);
  };
  source.on("SIGINT", stop);
  source.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    release: () => {
      source.off("SIGINT", stop);
      source.off("SIGTERM", stop);
    },
  };
}

/** Whether an error only says that the command was stopped. */
export function stopOf(error: unknown, signal: AbortSignal): Stopped | undefined {
  const { reason }: { readonly reason: unknown } = signal;
  if (!signal.aborted || !(reason instanceof Stopped)) return undefined;
  return error === reason ||
    (error instanceof Error && (error.name === "AbortError" || error.cause === reason))
    ? reason
    : undefined;
}

/** Whoever read our output has gone: nobody is left to tell anything. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

/** For ends that are as good as any. */
export const QUIET_END: number = EXIT.ok;
