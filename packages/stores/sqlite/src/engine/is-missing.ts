/** Whether the operating system says that a file, or a folder on its path, is missing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
