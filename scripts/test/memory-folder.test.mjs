import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryFolder } from "../bootstrap/memory-folder.mjs";
import { root } from "../root.mjs";
import { plant } from "./plant.mjs";

test("a folder is made where there is room, and removed with what is in it", () => {
  const memory = plant({});
  const folder = memoryFolder(memory, 1);
  expect(readdirSync(memory)).toEqual([`sessions-test-${process.pid}`]);
  writeFileSync(join(folder.path, "file"), "text");
  folder.remove();
  expect(readdirSync(memory)).toEqual([]);
});

test("no folder is made where there is too little room, or no such file system", () => {
  const memory = plant({});
  expect(memoryFolder(memory, Number.MAX_SAFE_INTEGER)).toBeUndefined();
  expect(memoryFolder(join(memory, "none"), 1)).toBeUndefined();
  expect(readdirSync(memory)).toEqual([]);
});

test("the folder of a process that is dead is removed, and that of a living one and whatever else is there stay", () => {
  const memory = plant({});
  const { pid: dead } = spawnSync(process.execPath, ["--version"]);
  for (const name of [`sessions-test-${dead}`, `sessions-test-${process.ppid}`, "another's"])
    mkdirSync(join(memory, name));
  memoryFolder(memory, 1).remove();
  expect(existsSync(join(memory, `sessions-test-${dead}`))).toBe(false);
  expect(readdirSync(memory).toSorted()).toEqual(["another's", `sessions-test-${process.ppid}`]);
});

test("turbo hands on where temporary files are, and reads no difference of results into it", () => {
  const { globalPassThroughEnv } = JSON.parse(readFileSync(join(root, "turbo.json"), "utf8"));
  expect(globalPassThroughEnv).toEqual(expect.arrayContaining(["TMPDIR", "DISK_TMPDIR"]));
});
