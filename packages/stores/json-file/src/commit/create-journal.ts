import { join } from "node:path";
import type { FileSystem } from "../engine/file-system.js";
import { noRoom, unconfirmed } from "../error-mapping.js";
import type { JournalPlace } from "../session/journal-folder.js";
import { composed, composedHeader } from "../session/lines/encode-lines.js";
import type { CommitEntry } from "../session/lines/journal-line.js";
import { commitFragments } from "../session/lines/line-bodies.js";
import { leftovers } from "./leftovers.js";

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
  let moved = false;
  try {
    await written(
      place,
      join(prepared, "1.jsonl"),
      Buffer.concat([header, ...lines].map((line) => line.bytes)),
    );
    await fileSystem.syncFolder(prepared);
    moved = movedInto(place, prepared);
  } finally {
    if (!moved) discarded(place, prepared);
  }
  if (moved) await named(place, sessions);
  return moved;
}

/** `false` if somebody else's folder is there already. */
function movedInto({ context, folder }: JournalPlace, prepared: string): boolean {
  try {
    return context.fileSystem.move(prepared, folder) === "moved";
  } catch (error) {
    throw moveFailure(context.fileSystem, prepared, folder, error);
  }
}

/** A rename that failed has changed nothing only if the folder still has its old name. */
function moveFailure(fileSystem: FileSystem, from: string, to: string, error: unknown): unknown {
  try {
    return fileSystem.stat(from) === undefined ? unconfirmed(to, error) : error;
  } catch (statError) {
    const both = new AggregateError([error, statError], "a rename failed, and what it left cannot be seen");
    return unconfirmed(to, both);
  }
}

/** The session is there for everybody. Only whether its name survives a power cut is open. */
async function named({ context, folder }: JournalPlace, sessions: string): Promise<void> {
  try {
    await context.fileSystem.syncFolder(sessions);
  } catch (error) {
    throw unconfirmed(folder, error);
  }
}

/** Whatever went wrong before is what the caller must hear of, so a failure here is only a warning. */
function discarded({ context }: JournalPlace, prepared: string): void {
  try {
    context.fileSystem.remove(prepared);
  } catch (cause) {
    context.warnings.give(leftovers(prepared, cause));
  }
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
