import { SessionError } from "@sessions/protocol";

const USER_INFO = /\/\/[^@/\s]*@/g;

/**
 * An error of the driver as it may be logged. ioredis keeps the command with all of its arguments in its errors: the password, where it
 * was AUTH, and the messages of a conversation. Only name, message, code and stack are kept.
 */
export function safeCause(error: unknown): unknown {
  if (!(error instanceof Error) || SessionError.is(error)) return error;
  const options = error.cause === undefined ? undefined : { cause: safeCause(error.cause) };
  const safe = new Error(withoutUserInfo(error.message), options);
  const fixed = { configurable: true, writable: true };
  Object.defineProperty(safe, "name", { ...fixed, value: error.name });
  Object.defineProperty(safe, "stack", { ...fixed, value: withoutUserInfo(error.stack ?? "") });
  if ("code" in error && typeof error.code === "string") Object.assign(safe, { code: error.code });
  return safe;
}

/** A text in which URLs have no user and no password. */
export function withoutUserInfo(text: string): string {
  return text.replace(USER_INFO, "//");
}
