import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { CommandError, EXIT } from "./command/exit-code.js";

/** What every SQLite database begins with. */
const DATABASE_HEADER = "SQLite format 3\0";

/** A file that appears under its name only after it is complete. */
export interface NewFile {
  write(text: string): Promise<void>;
  /** Syncs the file, then renames it. */
  finish(): Promise<void>;
  /** Removes the file if it was not finished. */
  abandon(): Promise<void>;
}

/** Creates a temporary file in the same folder, compressed if the name ends with `.gz`. Calls `confirm` before it replaces a file. */
export async function openNewFile(path: string, confirm: () => Promise<void>): Promise<NewFile> {
  const there = await stat(path).catch(absent);
  // A rename would replace a device or a pipe with a file.
  if (there?.isFile() === false)
    throw new CommandError(`${path} is not a file. Name one, or use a pipe.`, EXIT.usage);
  if (there !== undefined && (await isDatabase(path)))
    throw new CommandError(`${path} is an SQLite database. Name another file.`, EXIT.usage);
  if (there !== undefined) await confirm();
  const part = `${path}.part-${process.pid}`;
  const input = new PassThrough();
  const pack = path.endsWith(".gz") ? createGzip() : new PassThrough();
  // Other users must not read conversations.
  const written = pipeline(input, pack, createWriteStream(part, { mode: 0o600, flags: "wx", flush: true }));
  const failed = written.then(() => undefined);
  failed.catch(() => undefined); // no unhandled rejection: the next call throws it
  return {
    async write(text) {
      if (!input.write(text)) await Promise.race([once(input, "drain"), failed]);
    },
    async finish() {
      input.end();
      await written;
      await rename(part, path);
      await syncFolder(dirname(path));
    },
    async abandon() {
      input.destroy();
      await Promise.allSettled([written]);
      await rm(part, { force: true });
    },
  };
}

/** Whatever is confirmed, a backup must not replace a store, which may be the one that it is made of. */
async function isDatabase(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(DATABASE_HEADER.length), 0);
    return buffer.subarray(0, bytesRead).toString("latin1") === DATABASE_HEADER;
  } finally {
    await handle.close();
  }
}

function absent(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
