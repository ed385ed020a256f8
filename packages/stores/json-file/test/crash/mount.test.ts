import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FileSystem } from "../../src/engine/file-system.js";
import { nodeFileSystem } from "../../src/engine/node-file-system.js";
import { Disk } from "./disk.js";
import { EMPTY_DISK } from "./disk-image.js";
import { mount } from "./mount.js";

const FOLDERS = ["/a", "/b", "/a/c"];
const FILES = ["/a/x", "/a/y", "/a/c/x", "/b/x"];
const folder = fc.constantFrom(...FOLDERS);
const file = fc.constantFrom(...FILES);
const path = fc.constantFrom(...FOLDERS, ...FILES);

/** A call on a file system below a folder. Files that it opens are numbered in order. */
type Call = (fileSystem: FileSystem, top: string, open: number[]) => unknown;

const call: fc.Arbitrary<Call> = fc.oneof(
  folder.map(
    (at): Call =>
      (fs, top) =>
        fs.makeFolder(top + at),
  ),
  folder.map(
    (at): Call =>
      (fs, top) =>
        fs.list(top + at).toSorted(),
  ),
  file.map(
    (at): Call =>
      (fs, top) =>
        fs.readFile(top + at),
  ),
  file.map(
    (at): Call =>
      (fs, top) =>
        sizeAndLinks(fs.stat(top + at)),
  ),
  path.map(
    (at): Call =>
      (fs, top) =>
        fs.remove(top + at),
  ),
  // A file never takes the place of a folder, so that no path leads through a file.
  fc.oneof(fc.tuple(file, file), fc.tuple(folder, folder)).map(
    ([from, to]): Call =>
      (fs, top) =>
        fs.move(top + from, top + to),
  ),
  file.map(
    (at): Call =>
      (fs, top, open) =>
        void open.push(fs.create(top + at)),
  ),
  file.map(
    (at): Call =>
      (fs, top, open) => {
        const opened = fs.open(top + at, true);
        if (opened !== undefined) open.push(opened);
        return opened === undefined;
      },
  ),
  fc.nat(4).map(
    (nth): Call =>
      (fs, _top, open) =>
        fs.append(open[nth] ?? -1, Buffer.from("some bytes")),
  ),
  fc.tuple(fc.nat(4), fc.nat(15)).map(
    ([nth, from]): Call =>
      (fs, _top, open) =>
        fs.read(open[nth] ?? -1, from, 8).toString(),
  ),
  fc.nat(4).map(
    (nth): Call =>
      (fs, _top, open) =>
        sizeAndLinks(fs.statOpen(open[nth] ?? -1)),
  ),
);

function sizeAndLinks(stat: ReturnType<FileSystem["stat"]>): unknown {
  return stat === undefined ? undefined : { size: stat.size, links: stat.links };
}

/** What a call returns, or the code that it fails with. A descriptor out of range is refused in other words. */
function answer(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return error.code === "ERR_OUT_OF_RANGE" ? "EBADF" : error.code;
  }
}

test("the disk in memory answers every call as the real one does", () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 40 }), (calls) => {
      const real = mkdtempSync(join(tmpdir(), "sessions-mount-"));
      const [fs, files]: [FileSystem, number[]] = [nodeFileSystem({ folder: 0o700, file: 0o600 }), []];
      const [memory, opened]: [FileSystem, number[]] = [mount(new Disk(EMPTY_DISK), "a"), []];
      try {
        for (const one of calls)
          expect(answer(() => one(memory, "", opened))).toEqual(answer(() => one(fs, real, files)));
      } finally {
        for (const open of files) fs.close(open);
        rmSync(real, { recursive: true });
      }
    }),
    { numRuns: 400 },
  );
});
