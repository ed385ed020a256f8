import { SessionError } from "@sessions/protocol";

/** The error for a wrong target or option. `path` says which one. Neither `path` nor the message may contain secrets. */
export function invalid(path: string, problem: string, cause?: unknown): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${problem}`, {
    path,
    ...(cause === undefined ? {} : { cause }),
  });
}
