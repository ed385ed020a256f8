import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { SessionError } from "@sessions/protocol";
import { asSessionError, hasCode, noRoom } from "../error-mapping.js";

/** Failures of the file system that a retry meets again, by their codes, with what to do. */
const LASTING: Readonly<Record<string, string>> = {
  ENOENT: "A folder on its path is missing.",
  ENOTDIR: "Something on its path is a file and not a folder.",
  ENAMETOOLONG: "Its name, or that of a folder on its path, is too long.",
  ELOOP: "There are too many links on its path.",
};

/** Failures of the file system that may pass. */
const PASSING: Readonly<Record<string, string>> = {
  EMFILE: "This process has too many files open. Raise its limit (ulimit -n), or close some.",
  ENFILE: "The machine has too many files open.",
};

const REFUSALS: readonly string[] = ["EACCES", "EPERM", "EROFS"];

/** Why a database could not be opened or copied, as callers see it. Always a SessionError. */
export function openFailure(error: unknown, path: string): SessionError {
  if (SessionError.is(error)) return error;
  const code = refusalOf(error, path) ?? codeOf(error);
  if (REFUSALS.includes(code)) return notAllowed(path, code, error);
  if (hasCode(error, "SQLITE_ERROR")) return unusableSchema(path, error);
  const known = asSessionError(error, path);
  if (SessionError.is(known)) return known;
  if (code === "ENOSPC" || code === "EDQUOT") return noRoom(path, error);
  const lasting = LASTING[code];
  const message = `${path} could not be opened. ${lasting ?? PASSING[code] ?? "See the cause."}`;
  return SessionError.of("STORE_UNAVAILABLE", message, {
    cause: error,
    ...(lasting === undefined ? {} : { retryable: false }),
  });
}

/** Which right is lacking, where SQLite only says that it cannot open or write. It says so too when files or handles run out. */
function refusalOf(error: unknown, path: string): string | undefined {
  if (!hasCode(error, "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")) return undefined;
  for (const needed of [path, dirname(path)]) {
    try {
      accessSync(needed, constants.R_OK | constants.W_OK);
    } catch (refusal) {
      if (REFUSALS.includes(codeOf(refusal))) return codeOf(refusal);
      if (codeOf(refusal) !== "ENOENT") throw refusal;
    }
  }
  return undefined;
}

/** SQLite keeps two more files beside the database, so it needs the folder too. */
function notAllowed(path: string, code: string, cause: unknown): SessionError {
  const message =
    code === "EROFS"
      ? `${path} is on a file system that is mounted read-only. Name a file elsewhere.`
      : `This process may not write to ${path} and its folder (${code}). Give it the right to both, or name a file elsewhere.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { cause, retryable: false });
}

function unusableSchema(path: string, cause: unknown): SessionError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `${path} cannot be used as a store: ${reason}. Nothing was changed. Restore a backup, or name another file.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { cause, retryable: false });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
