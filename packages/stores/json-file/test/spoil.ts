import { open, readFile } from "node:fs/promises";

/**
 * Writes one byte in place, as a stray program would: the file keeps its inode and its length. Writes it again until the
 * file's time of change has moved on, whose step is some milliseconds.
 */
export async function spoil(path: string, text: string, by = 1): Promise<void> {
  const at = (await readFile(path)).indexOf(text);
  await using file = await open(path, "r+");
  const { ctimeNs } = await file.stat({ bigint: true });
  do {
    await file.write(Buffer.from([text.charCodeAt(0) + by]), 0, 1, at);
  } while ((await file.stat({ bigint: true })).ctimeNs === ctimeNs);
}
