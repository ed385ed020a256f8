/** Whether a write failed because the reader of the output has gone, as `head` does. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}
