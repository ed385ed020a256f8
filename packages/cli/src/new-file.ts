import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { createGzip } from "node:zlib";

/** A file that is there when it is whole, and not before. */
export interface NewFile {
  write(text: string): Promise<void>;
  /** Waits for the disk, then gives the file its name. */
  finish(): Promise<void>;
  /** Leaves nothing behind, if it was not finished. */
  abandon(): Promise<void>;
}

/** Begins a file beside its place; packed if its name ends with `.gz`. `confirm` is asked before one is replaced. */
export async function openNewFile(path: string, confirm: () => Promise<void>): Promise<NewFile> {
  if (existsSync(path)) await confirm();
  const part = `${path}.part-${process.pid}`;
  // Conversations are nobody else's business.
  const file = createWriteStream(part, { mode: 0o600, flags: "wx", flush: true });
  const input = path.endsWith(".gz") ? createGzip() : file;
  if (input !== file) input.pipe(file);
  await once(file, "open");
  let finished = false;
  return {
    async write(text) {
      if (!input.write(text)) await once(input, "drain");
    },
    async finish() {
      const closed = once(file, "close");
      input.end();
      await closed;
      await rename(part, path);
      await syncFolder(dirname(path));
      finished = true;
    },
    async abandon() {
      if (finished) return;
      file.destroy();
      await rm(part, { force: true });
    },
  };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
