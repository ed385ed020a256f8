import { Stopped } from "./stopped.js";

/** The methods of `process` that this file uses. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM", listener: (signal: "SIGINT" | "SIGTERM") => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: (signal: "SIGINT" | "SIGTERM") => void): unknown;
  exit(code: number): never;
}

/** The first Ctrl-C lets the current work finish. A second one does not wait for it. */
export function stopOnSignals(source: SignalSource): {
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
