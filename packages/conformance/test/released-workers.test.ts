import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { socketHarness } from "./socket-store/socket-place.js";

const PROGRAM = fileURLToPath(new URL("./socket-store/release-workers.mjs", import.meta.url));

interface Output {
  readonly pids: Readonly<Record<"idle" | "busy" | "paused" | "killed" | "last", number>>;
  readonly writeError: string;
  readonly recordedNames: { readonly before: readonly string[]; readonly after: readonly string[] };
}

describe("a released worker", () => {
  let output: Output;
  beforeAll(async () => {
    const place = await socketHarness().place();
    try {
      const how = JSON.stringify(place.otherProcess);
      // The program ends only if idle workers do not keep it alive: the timeout is an assertion too.
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, how], { timeout: 30_000 });
      output = JSON.parse(stdout);
    } finally {
      await place.cleanup();
    }
  });

  test("is reused under the next name, without the turn of the store before", () => {
    expect(output.pids.busy).toBe(output.pids.idle);
    expect(output.writeError).toContain("this worker holds no turn");
    expect(output.recordedNames).toEqual({ before: ["idle"], after: ["busy"] });
  });

  test("is not reused if it was busy, paused or killed", () => {
    const { busy, paused, killed, last } = output.pids;
    expect(new Set([busy, paused, killed, last]).size).toBe(4);
  });
});
