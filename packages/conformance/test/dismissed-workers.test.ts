import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { socketHarness } from "./socket-store/socket-place.js";

const PROGRAM = fileURLToPath(new URL("./socket-store/dismisses-workers.mjs", import.meta.url));

interface Told {
  readonly pids: Readonly<Record<"idle" | "busy" | "paused" | "killed" | "last", number>>;
  readonly held: string;
  readonly told: { readonly before: readonly string[]; readonly after: readonly string[] };
}

describe("a worker that is dismissed", () => {
  let told: Told;
  beforeAll(async () => {
    const place = await socketHarness().place();
    try {
      const how = JSON.stringify(place.otherProcess);
      // That this ends at all is a test too: it does so only if nobody waits for the workers that wait.
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, how], { timeout: 30_000 });
      told = JSON.parse(stdout);
    } finally {
      await place.cleanup();
    }
  });

  test("serves the next one, under its name and with nothing of the store before", () => {
    expect(told.pids.busy).toBe(told.pids.idle);
    expect(told.held).toContain("this worker holds no turn");
    expect(told.told).toEqual({ before: ["idle"], after: ["busy"] });
  });

  test("is ended if it is at work, paused or dead, and another one is started", () => {
    const { busy, paused, killed, last } = told.pids;
    expect(new Set([busy, paused, killed, last]).size).toBe(4);
  });
});
