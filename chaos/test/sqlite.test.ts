import { expect, test } from "vitest";
import { soundRun } from "./run.js";

test("sqlite keeps every acknowledged message while four processes are killed and paused again and again", async () => {
  const report = await soundRun(["--store", "sqlite", "--writers", "4"], {
    kills: 12,
    pauses: 2,
    acknowledged: 500,
  });
  expect(report.calls["change received"]?.ok).toBeGreaterThan(0);
});
