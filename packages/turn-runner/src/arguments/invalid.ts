import { SessionError } from "@sessions/protocol";

/** An INVALID_ARGUMENT error. `path` leads to the argument, `rule` says what it must be. */
export function invalid(path: string, rule: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${rule}`, { path });
}
