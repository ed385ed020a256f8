import { join } from "node:path";
import type { FileSystem } from "../engine/file-system.js";
import { outcomeUnknown, storeFull } from "../error-mapping.js";
import type { JournalFolder } from "../session/journal-folder.js";
import { encodeHeader, encodeLines } from "../session/lines/encode-lines.js";
import type { CommitEntry } from "../session/lines/journal-line.js";
import { commitBodies } from "../session/lines/line-bodies.js";
import { leftovers } from "./leftovers.js";

/** The first commits of a session. */
interface FirstCommits {
  readonly id: string;
  readonly writer: string;
  readonly entries: readonly CommitEntry[];
}

/** A journal that this process has put on the disk, with its name. */
export interface CreatedJournal {
  readonly salt: string;
  readonly length: number;
}

/**
 * Makes a session's folder with the first commits in it, all or nothing: it is prepared elsewhere and renamed into its
 * place. `undefined` if another process has made it first. Always waits for the disk, however durable commits are: a
 * folder whose file did not reach the disk would be neither a session nor an absent one.
 */
export async function createJournal(
  folder: JournalFolder,
  { id, writer, entries }: FirstCommits,
): Promise<CreatedJournal | undefined> {
  const { fileSystem, tmp, nonce } = folder.context;
  const salt = nonce(4);
  const bytes = firstLines({ id, writer, entries }, salt);
  const prepared = join(tmp, `${process.pid}-${nonce(8)}`);
  fileSystem.makeFolder(prepared);
  let isMoved = false;
  try {
    await writeFile(fileSystem, join(prepared, "1.jsonl"), bytes);
    await fileSystem.syncFolder(prepared);
    isMoved = moveInto(folder, prepared);
  } finally {
    if (!isMoved) discard(folder, prepared);
  }
  if (isMoved) await confirmName(folder);
  return isMoved ? { salt, length: bytes.length } : undefined;
}

function firstLines({ id, writer, entries }: FirstCommits, salt: string): Buffer {
  const header = encodeHeader({ id, g: 1, salt });
  const offset = header.bytes.length;
  const position = { offset, last: header.checksum, writer, salt, unconfirmedFrom: offset };
  const lines = encodeLines(commitBodies(entries), position);
  return Buffer.concat([header, ...lines].map((line) => line.bytes));
}

async function writeFile(fileSystem: FileSystem, path: string, bytes: Buffer): Promise<void> {
  const file = fileSystem.create(path);
  try {
    if (fileSystem.append(file, bytes) < bytes.length) throw storeFull(path);
    await fileSystem.sync(file);
  } finally {
    fileSystem.close(file);
  }
}

/** `false` if the folder of another process is there already. */
function moveInto({ context, path }: JournalFolder, prepared: string): boolean {
  try {
    return context.fileSystem.move(prepared, path) === "moved";
  } catch (error) {
    throw moveFailure(context.fileSystem, prepared, path, error);
  }
}

/** A rename that failed has changed nothing only if the folder still has its old name. */
function moveFailure(fileSystem: FileSystem, from: string, to: string, error: unknown): unknown {
  try {
    return fileSystem.stat(from) === undefined ? outcomeUnknown(to, error) : error;
  } catch (statError) {
    const both = new AggregateError([error, statError], "a rename failed, and what it left cannot be seen");
    return outcomeUnknown(to, both);
  }
}

/** Everybody sees the session by now. Whether its name survives a power cut is not known before this. */
async function confirmName({ context, path }: JournalFolder): Promise<void> {
  try {
    await context.fileSystem.syncFolder(context.sessions);
  } catch (error) {
    throw outcomeUnknown(path, error);
  }
}

/** A failure here is only a warning: what went wrong before is what the caller has to see. */
function discard({ context }: JournalFolder, prepared: string): void {
  try {
    context.fileSystem.remove(prepared);
  } catch (cause) {
    context.warnings.give(leftovers(prepared, cause));
  }
}
