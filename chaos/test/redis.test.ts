import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { useChaosRun } from "./run.js";

const RUN = ["--json", "--seed", "7", "--writers", "4", "--kills", "12", "--pause-ms", "600"];

describe("four processes on one redis-server, all of them killed and paused, with connections that break", () => {
  test("keep everything that the store acknowledged", async () => {
    await useChaosRun(["--store", "redis", ...RUN], async (run) => {
      const report = await run.report();
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe("sound");
      expect(report.struck.kills).toBeGreaterThanOrEqual(12);
      // A run in which nothing happened would be sound as well.
      for (const [strike, times] of Object.entries(report.struck.own))
        expect(times, strike).toBeGreaterThanOrEqual(2);
      expect(report.acknowledged).toBeGreaterThan(300);
      expect((await run.ended).code).toBe(0);
    });
  });

  test("the run catches a server that keeps nothing", async () => {
    const twin = fileURLToPath(new URL("./twins/keeps-nothing.mjs", import.meta.url));
    await useChaosRun(["--store", twin, ...RUN], async (run) => {
      const { verdict, found } = await run.report();
      expect(verdict).toBe("violated");
      expect(found["lost"]).toBeGreaterThan(0);
    });
  });
});

describe("four processes on replicated servers", () => {
  test.each([
    ["a primary with Sentinels", "sentinel"],
    ["a Cluster", "cluster"],
  ])("keep everything on %s, while primaries are killed and replicas take over", async (_name, servers) => {
    const short = ["--json", "--seed", "7", "--writers", "4", "--kills", "5", "--pause-ms", "600"];
    await useChaosRun(["--store", "redis", "--servers", servers, ...short], async (run) => {
      const report = await run.report();
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe("sound");
      const strikes = Object.values(report.struck.own).reduce((sum, times) => sum + times, 0);
      expect(strikes).toBeGreaterThanOrEqual(5);
      expect(report.acknowledged).toBeGreaterThan(100);
      expect((await run.ended).code).toBe(0);
    });
  });
});
