/** Whether a write failed because the reader has closed the pipe, as `head` does. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}
