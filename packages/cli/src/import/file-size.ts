import { readFile, stat } from "node:fs/promises";
import { CommandError, EXIT } from "../command/exit-code.js";

/** Unreadable input is kept as one string, maybe as base64, and no string of V8 is longer than 512 MiB. */
const MAX_TEXT_BYTES = 380 * 1024 * 1024;

/** Refuses input that is too long for one string. */
export function requireReadable(what: string, bytes: number): void {
  if (bytes <= MAX_TEXT_BYTES) return;
  const mib = Math.round(MAX_TEXT_BYTES / 1024 / 1024);
  throw new CommandError(
    `${what} has more than ${mib} MiB, which is too large for one session.`,
    EXIT.refused,
  );
}

/** Reads a file that is one JSON value. */
export async function wholeFile(file: string): Promise<Buffer> {
  requireReadable(file, (await stat(file)).size);
  return readFile(file);
}
