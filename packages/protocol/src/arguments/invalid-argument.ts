import { SessionError } from "../errors/session-error.js";

/** INVALID_ARGUMENT. `path` leads to the wrong argument; the message is `path` and `problem`. */
export function invalid(path: string, problem: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${problem}`, { path });
}

/** TOO_LARGE. */
export function tooLarge(path: string, bytes: number, limit: number): SessionError {
  const message = `${path} has ${bytes} bytes; ${limit} are allowed.`;
  return SessionError.of("TOO_LARGE", message, { path, bytes, limit });
}

/** The path to a field of an argument. An empty path is the call itself. */
export function within(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Runs code that reads an argument. Getters and proxies may throw anything: it becomes the cause of INVALID_ARGUMENT. */
export function readable<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The error for an argument that threw `error` when it was read. */
export function unreadable(path: string, error: unknown): SessionError {
  if (SessionError.is(error)) return error;
  const message = `${path} could not be read: it threw an error (see the cause).`;
  return SessionError.of("INVALID_ARGUMENT", message, { path, cause: error });
}
