import { describe, expect, test } from "vitest";
import { useChaosRun } from "./run.js";

const RUN = ["--store", "sqlite", "--json", "--seed", "7", "--writers", "4", "--kills", "12"];

describe("four processes on one sqlite store, killed and paused again and again", () => {
  test("keep everything that the store acknowledged", async () => {
    await useChaosRun([...RUN, "--pause-ms", "600"], async (run) => {
      const report = await run.report();
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe("sound");
      expect(report.struck.kills).toBeGreaterThanOrEqual(12);
      expect(report.struck.pauses).toBeGreaterThanOrEqual(2);
      // A run in which nothing happened would be sound as well.
      expect(report.acknowledged).toBeGreaterThan(500);
      expect(report.calls["change received"]?.ok).toBeGreaterThan(0);
      expect((await run.ended).code).toBe(0);
    });
  });
});
