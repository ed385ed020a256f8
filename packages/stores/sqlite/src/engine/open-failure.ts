import { SessionError } from "@sessions/protocol";
import { asSessionError, noRoom } from "../error-mapping.js";

/** What to do about failures of the file system, by their codes. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: "Check its owner, its mode and that of its folder.",
  EPERM: "Check its owner, its mode and that of its folder.",
  EROFS: "The file system is mounted read-only.",
  ENOENT: "A folder on its path is missing.",
  ENOTDIR: "Something on its path is a file and not a folder.",
  ENAMETOOLONG: "Its name, or that of a folder on its path, is too long.",
  ELOOP: "There are too many links on its path.",
  EMFILE: "This process has too many files open. Raise its limit (ulimit -n), or close some.",
  ENFILE: "The machine has too many files open.",
};

/** Why a database could not be opened or copied, as callers see it. Always a SessionError. */
export function openFailure(error: unknown, path: string): SessionError {
  const known = asSessionError(error, path);
  if (SessionError.is(known)) return known;
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return noRoom(path, error);
  const message = `${path} could not be opened. ${ADVICE[code] ?? "See the cause."}`;
  return SessionError.of("STORE_UNAVAILABLE", message, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
