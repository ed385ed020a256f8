import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isGone, ownerName } from "../src/recovery/owner.js";

const deadProcess = (): number => spawnSync(process.execPath, ["-e", ""]).pid;

test("isGone is true only for a process of this machine that has ended", () => {
  const dead = deadProcess();
  expect(isGone(ownerName("here", dead), "here")).toBe(true);
  expect(isGone(ownerName("here", process.pid), "here")).toBe(false);
  expect(isGone(ownerName("elsewhere", dead), "here")).toBe(false);
  expect(isGone("somebody", "here")).toBe(false);
  expect(isGone(undefined, "here")).toBe(false);
});
