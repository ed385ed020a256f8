import { CommandError, EXIT } from "../command/exit-code.js";
import { BackupCheck, type BackupFooter, isFooter, isHeader } from "../import/formats/backup-check.js";
import { isBundle } from "../import/formats/bundle.js";
import { jsonLines } from "../import/json-lines.js";

/** Reads a backup again, because a backup that cannot be read is useless. Throws if it is not what was written. */
export async function readBack(path: string, written: BackupFooter): Promise<void> {
  const check = new BackupCheck();
  let isSame = false;
  for await (const line of jsonLines(path)) {
    if ("unreadable" in line) throw unreadable(path);
    if (isHeader(line.value)) check.begin();
    else if (isBundle(line.value)) check.add(line.value);
    else if (isFooter(line.value))
      isSame = check.end(line.value) === undefined && line.value.digest === written.digest;
  }
  if (!isSame) throw unreadable(path);
}

function unreadable(path: string): Error {
  return new CommandError(
    `${path} was written, but reading it gives something else. Do not rely on this file: check the disk.`,
    EXIT.damaged,
  );
}
