import { join } from "node:path";
import { composed, composedHeader } from "./composed.js";
import { noRoom } from "./error-mapping.js";
import { commitFragments } from "./fragments.js";
import type { CommitEntry } from "./journal-line.js";
import type { JournalPlace } from "./journal-place.js";

/**
 * Makes a session's folder with the first commits in it, whole or not at all: it is prepared elsewhere and moved into
 * its place. `false` if somebody else has made it. The disk is always waited for, however durable commits are: a folder
 * whose file did not reach the disk would be no session and no absence either.
 */
export async function genesis(
  place: JournalPlace,
  id: string,
  writer: string,
  entries: readonly CommitEntry[],
): Promise<boolean> {
  const { fileSystem, tmp, sessions, nonce } = place.context;
  const salt = nonce(4);
  const header = composedHeader({ id, g: 1, salt });
  const offset = header.bytes.length;
  const after = { offset, last: header.checksum, writer, salt, unconfirmed: offset };
  const lines = composed(commitFragments(entries), after);
  const prepared = join(tmp, `${process.pid}-${nonce(8)}`);
  fileSystem.makeFolder(prepared);
  try {
    await written(
      place,
      join(prepared, "1.jsonl"),
      Buffer.concat([header, ...lines].map((line) => line.bytes)),
    );
    await fileSystem.syncFolder(prepared);
    if (fileSystem.move(prepared, place.folder) !== "moved") return false;
  } finally {
    fileSystem.remove(prepared);
  }
  await fileSystem.syncFolder(sessions);
  return true;
}

async function written({ context }: JournalPlace, path: string, bytes: Buffer): Promise<void> {
  const file = context.fileSystem.create(path);
  try {
    if (context.fileSystem.append(file, bytes) < bytes.length) throw noRoom(path);
    await context.fileSystem.sync(file);
  } finally {
    context.fileSystem.close(file);
  }
}
