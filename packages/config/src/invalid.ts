import { SessionError } from "@sessions/protocol";

/** The target or one of its options is wrong. `path` leads there; secrets are in neither. */
export function invalid(path: string, problem: string, cause?: unknown): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${problem}`, {
    path,
    ...(cause === undefined ? {} : { cause }),
  });
}
