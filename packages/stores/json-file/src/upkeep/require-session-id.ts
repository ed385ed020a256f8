import { SessionError } from "@sessions/protocol";

/** The id that a repair needs: callers without types may leave it out. */
export function requireSessionId(value: string | undefined, path: string): string {
  if (value !== undefined) return value;
  throw SessionError.of("INVALID_ARGUMENT", `${path} is missing: it must be the id of a session.`, { path });
}
