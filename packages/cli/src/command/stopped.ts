/** The abort reason of a command that was stopped by a signal. */
export class Stopped extends Error {
  override readonly name: string = "Stopped";
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super("Stopped.");
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}

/** Whether an error means that the command was stopped. */
export function stopReasonOf(error: unknown, signal: AbortSignal): Stopped | undefined {
  if (error instanceof Stopped) return error;
  const { reason }: { readonly reason: unknown } = signal;
  if (!signal.aborted || !(reason instanceof Stopped)) return undefined;
  return error instanceof Error && (error.name === "AbortError" || error.cause === reason)
    ? reason
    : undefined;
}
