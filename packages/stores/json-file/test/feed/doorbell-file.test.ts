import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppendedDoorbellFile } from "../../src/feed/doorbell-file.js";

let folder: string;
let path: string;
let file: AppendedDoorbellFile;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-doorbell-"));
  path = join(folder, "doorbell");
  file = new AppendedDoorbellFile(path, 0o600);
});
afterEach(async () => {
  file.close();
  await rm(folder, { recursive: true, force: true });
});

test("news is what was added since, each folder once", () => {
  file.append(["before"]);
  file.skip();
  expect(file.news()).toEqual(new Set());
  for (const name of ["a", "b", "a"]) file.append([name]);
  expect(file.news()).toEqual(new Set(["a", "b"]));
  expect(file.news()).toEqual(new Set());
});

test("a file that comes later is news from its beginning", () => {
  file.skip();
  expect(file.news()).toEqual(new Set());
  file.append(["a"]);
  expect(file.news()).toEqual(new Set(["a"]));
});

test("a line counts once it is whole", async () => {
  file.skip();
  await appendFile(path, "a\nhal");
  expect(file.news()).toEqual(new Set(["a"]));
  await appendFile(path, "f\n");
  expect(file.news()).toEqual(new Set(["half"]));
});

test("after the file was truncated, removed or replaced, any folder may have changed", async () => {
  file.append(["a"]);
  file.append(["b"]);
  file.skip();
  await writeFile(path, "c\n");
  expect(file.news()).toBe("all");
  await rm(path);
  expect(file.news()).toBe("all");
  expect(file.news()).toEqual(new Set());
  file.append(["d"]);
  expect(file.news()).toEqual(new Set(["d"]));
  await writeFile(`${path}.other`, "d\ne\nf\n");
  await rename(`${path}.other`, path); // longer than what was read of the one before
  expect(file.news()).toBe("all");
  expect(file.news()).toEqual(new Set());
});

test("a file that has grown too large is not read", async () => {
  file.skip();
  await writeFile(path, "a\n".repeat(100_000));
  expect(file.news()).toBe("all");
  expect(file.news()).toEqual(new Set());
});

test("a large file is emptied, and writers in other processes continue at its new end", async () => {
  const other = new AppendedDoorbellFile(path, 0o600);
  other.append(["other"]);
  await appendFile(path, "x".repeat(64 * 1024));
  file.append(["a"]);
  other.append(["b"]);
  expect(await readFile(path, "latin1")).toBe("a\nb\n");
  other.close();
});

test("a file that cannot be read or written is an error", async () => {
  const impossible = new AppendedDoorbellFile(folder, 0o600);
  expect(() => impossible.append(["a"])).toThrow("EISDIR");
  expect(() => impossible.news()).toThrow("EISDIR");
});
