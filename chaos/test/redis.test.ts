import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { soundRun, useChaosRun } from "./run.js";

const WRITERS = ["--writers", "4"];

test("redis keeps every acknowledged message while processes, the server and connections fail", async () => {
  const report = await soundRun(["--store", "redis", ...WRITERS], {
    kills: 8,
    pauses: 0,
    acknowledged: 200,
  });
  for (const [name, count] of Object.entries(report.disturbances.server))
    expect(count, name).toBeGreaterThanOrEqual(1);
});

test("a run reports a redis server that acknowledges writes before they are on its disk", async () => {
  const store = fileURLToPath(new URL("./broken-stores/never-persists.mjs", import.meta.url));
  const args = ["--json", "--seed", "7", "--kills", "6", "--pause-ms", "600", ...WRITERS];
  await useChaosRun(["--store", store, ...args], async (run) => {
    const { verdict, found } = await run.report();
    expect(verdict).toBe("violated");
    expect(found["lost"]).toBeGreaterThan(0);
  });
});

test.each([
  ["a primary with Sentinels", "sentinel"],
  ["a Cluster", "cluster"],
])(
  "redis keeps every acknowledged message on %s, while primaries are killed and replicas take over",
  async (_name, servers) => {
    const args = ["--store", "redis", "--servers", servers, ...WRITERS];
    const report = await soundRun(args, { kills: 3, pauses: 0, acknowledged: 60 });
    const disturbances = Object.values(report.disturbances.server).reduce((sum, times) => sum + times, 0);
    expect(disturbances).toBeGreaterThanOrEqual(3);
  },
);
