import { readFile, stat } from "node:fs/promises";
import { CommandError, EXIT } from "../command/exit-code.js";

/** What is set aside becomes one string, as base64 where it is no text: no string is longer than 512 MiB. */
const MAX_TEXT_BYTES = 380 * 1024 * 1024;

/** Refuses what is too long to be read as one text. */
export function requireReadable(what: string, bytes: number): void {
  if (bytes <= MAX_TEXT_BYTES) return;
  const mib = Math.round(MAX_TEXT_BYTES / 1024 / 1024);
  throw new CommandError(
    `${what} has more than ${mib} MiB, which is too large for one session.`,
    EXIT.refused,
  );
}

/** A whole file that is one JSON value. */
export async function wholeFile(file: string): Promise<Buffer> {
  requireReadable(file, (await stat(file)).size);
  return readFile(file);
}
