import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { isCrowd, isCrowded } from "../src/is-crowded.js";

test("one thread more than there are processors is no crowd, two are", () => {
  expect(isCrowd("0.20 0.18 0.12 3/80 11206\n", 2)).toBe(false);
  expect(isCrowd("0.20 0.18 0.12 4/80 11206\n", 2)).toBe(true);
  expect(isCrowd("9.20 9.18 9.12 4/80 11206\n", 16)).toBe(false);
});

test("who cannot look takes it for a crowd", () => {
  const failing = (): string => {
    throw new Error("EMFILE: too many open files");
  };
  expect(isCrowded(failing)).toBe(process.platform === "linux");
});

test("processes that want more processors than there are make a crowd", async () => {
  const busy = Array.from({ length: availableParallelism() + 2 }, () =>
    spawn(process.execPath, ["-e", "for (const end = Date.now() + 60_000; Date.now() < end; );"]),
  );
  try {
    await expect.poll(() => isCrowded(), { timeout: 20_000 }).toBe(process.platform === "linux");
  } finally {
    for (const child of busy) child.kill("SIGKILL");
  }
});
