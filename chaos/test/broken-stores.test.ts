import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useChaosRun } from "./run.js";

const RUN = ["--json", "--seed", "7", "--kills", "3", "--pause-ms", "300", "--no-full-disk"];

test.concurrent.each([
  ["acknowledges early", "lost"],
  ["forgets commit ids", "doubled"],
  ["reads from a cache", "stale reads"],
  ["replaces blindly", "lost"],
  ["steals turns", "turn violations"],
  ["ignores fences", "turn violations"],
  ["refuses and writes", "invented"],
  ["lists too little", "listing violations"],
  ["forgets cursors", "feed violations"],
  ["returns two orders", "order violations"],
])("a run reports a store that %s, and counts it under `%s`", async (name, row) => {
  const store = fileURLToPath(new URL(`./broken-stores/${name.replaceAll(" ", "-")}.mjs`, import.meta.url));
  await useChaosRun(["--store", store, ...RUN], async (run) => {
    const { verdict, found, kept = "", seed } = await run.report();
    expect(verdict).toBe("violated");
    expect(found[row]).toBeGreaterThan(0);
    expect((await run.ended).code).toBe(1);
    expect(seed).toBe(7);
    expect(existsSync(join(kept, "data"))).toBe(true);
    expect(readdirSync(join(kept, "logs"))).toContain("final-read.jsonl");
  });
});
