import type { SessionBundle } from "@sessions/protocol";
import { STANDARD_INPUT } from "../file-lines.js";
import { wholeFile } from "../file-size.js";
import { objectIn } from "../foreign-fields.js";
import type { Imported } from "../imported-session.js";
import { jsonLines, read } from "../json-lines.js";
import { noSessionsIn } from "../no-sessions.js";
import { unreadableInput } from "../unreadable-input.js";

/** The format of `sessions export` and `sessions backup`: a bundle on each line. One bundle over several lines is read too. */
export async function* bundleSource(file: string): AsyncGenerator<Imported> {
  let first = true;
  for await (const line of jsonLines(file)) {
    if (first && "unreadable" in line && file !== STANDARD_INPUT && !file.endsWith(".gz")) {
      const { value } = read(await wholeFile(file));
      if (value !== undefined)
        return yield* (Array.isArray(value) ? value : [value]).map((one) => bundleOf(one, file));
    }
    first = false;
    if ("unreadable" in line) yield { unreadable: [line.unreadable], notes: [] };
    else if (!isFooter(line.value)) yield bundleOf(line.value, file, line.number);
  }
  if (first) throw noSessionsIn(file);
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

function bundleOf(value: unknown, file: string, line?: number): Imported {
  if (isBundle(value)) return { bundle: value, unreadable: [], notes: [] };
  const bytes = Buffer.from(JSON.stringify(value));
  return { unreadable: [unreadableInput(file, line, "is no exported session", bytes)], notes: [] };
}

// Checks only the outermost fields, because the store checks all fields before it imports a bundle.
export function isBundle(value: unknown): value is SessionBundle {
  const fields = objectIn(value);
  return fields?.["format"] === "sessions-bundle" && typeof fields["sessionId"] === "string";
}
