import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("./only-watches.mjs", import.meta.url));

test("a pending watch keeps its process alive, and the process ends with the watch", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM]);
  expect(stdout).toBe("s\n");
});
