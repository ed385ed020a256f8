import { readFile } from "node:fs/promises";
import type { SessionBundle } from "@sessions/protocol";
import { objectIn } from "./fields.js";
import type { Imported } from "./imported-session.js";
import { jsonLines, parsed } from "./json-lines.js";
import { STANDARD_INPUT } from "./lines-of.js";

/** What `sessions export` and `sessions backup` write: a bundle on each line. One bundle over many lines is read too. */
export async function* bundleSource(file: string): AsyncGenerator<Imported> {
  let first = true;
  for await (const line of jsonLines(file)) {
    if (first && "aside" in line && file !== STANDARD_INPUT && !file.endsWith(".gz")) {
      const whole = parsed(await readFile(file, "utf8"));
      if (whole !== undefined) return yield* (Array.isArray(whole) ? whole : [whole]).map(bundleOf);
    }
    first = false;
    if ("aside" in line) yield { asides: [line.aside], notes: [] };
    else if (!isFooter(line.value)) yield bundleOf(line.value);
  }
}

/** The last line of a backup. */
export interface BackupFooter {
  readonly format: "sessions-backup";
  readonly version: 1;
  readonly sessions: number;
  readonly digest: string;
}

export function isFooter(value: unknown): value is BackupFooter {
  return objectIn(value)?.["format"] === "sessions-backup";
}

function bundleOf(value: unknown): Imported {
  if (isBundle(value)) return { bundle: value, asides: [], notes: [] };
  const problem = "is no exported session";
  return { asides: [{ file: "bundle", problem, text: JSON.stringify(value) }], notes: [] };
}

// Only its outside: the store checks a bundle to its last field before it takes it.
export function isBundle(value: unknown): value is SessionBundle {
  const fields = objectIn(value);
  return fields?.["format"] === "sessions-bundle" && typeof fields["sessionId"] === "string";
}
