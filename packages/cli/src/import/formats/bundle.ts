import type { SessionBundle } from "@sessions/protocol";
import { objectIn } from "../../json/fields.js";
import { STANDARD_INPUT } from "../file-lines.js";
import { wholeFile } from "../file-size.js";
import type { Imported } from "../imported-session.js";
import { InputCutOff } from "../input-cut-off.js";
import { CUT_OFF, jsonLines, read } from "../json-lines.js";
import { noSessionsIn } from "../no-sessions.js";
import { unreadableInput } from "../unreadable-input.js";
import { BackupCheck, isFooter, isHeader } from "./backup-check.js";

/** The format of `sessions export` and `sessions backup`: a bundle on each line. One bundle over several lines is read too. */
export async function* bundleSource(file: string): AsyncGenerator<Imported> {
  const backup = new BackupCheck();
  let lines = 0;
  let bundles = 0;
  for await (const line of jsonLines(file)) {
    if (lines++ === 0 && "unreadable" in line && file !== STANDARD_INPUT && !file.endsWith(".gz")) {
      const { value } = read(await wholeFile(file));
      if (value !== undefined)
        return yield* (Array.isArray(value) ? value : [value]).map((one) => bundleOf(one, file));
    }
    if ("unreadable" in line) {
      if (line.unreadable.problem === CUT_OFF && (bundles > 0 || backup.isOpen))
        throw new InputCutOff("its last line ends in the middle");
      yield { unreadable: [line.unreadable], notes: [] };
    } else if (isHeader(line.value)) backup.begin();
    else if (isFooter(line.value)) {
      const problem = backup.end(line.value);
      if (problem !== undefined) {
        const bytes = Buffer.from(JSON.stringify(line.value));
        yield { unreadable: [unreadableInput(file, line.number, problem, bytes)], notes: [] };
      }
    } else {
      if (isBundle(line.value)) {
        bundles++;
        backup.add(line.value);
      }
      yield bundleOf(line.value, file, line.number);
    }
  }
  if (lines === 0) throw noSessionsIn(file);
  backup.requireEnd();
}

function bundleOf(value: unknown, file: string, line?: number): Imported {
  if (isBundle(value)) return { bundle: value, unreadable: [], notes: [] };
  const bytes = Buffer.from(JSON.stringify(value));
  return { unreadable: [unreadableInput(file, line, "is not an exported session", bytes)], notes: [] };
}

// Checks only the outermost fields, because the store checks all fields before it imports a bundle.
export function isBundle(value: unknown): value is SessionBundle {
  const fields = objectIn(value);
  return fields?.["format"] === "sessions-bundle" && typeof fields["sessionId"] === "string";
}
