import { expect, test } from "vitest";
import { soundRun } from "./run.js";

const CALLS = [
  "append",
  "insert",
  "restore",
  "remove",
  "begin-turn",
  "end-turn",
  "touch",
  "read",
  "list",
  "change received",
];

test("json-file keeps every acknowledged message while four processes are killed and paused again and again", async () => {
  const report = await soundRun(["--store", "json-file", "--writers", "4"], {
    kills: 12,
    pauses: 2,
    acknowledged: 500,
  });
  expect(report.disturbances.clockSteps).toBeGreaterThanOrEqual(4);
  for (const kind of CALLS) expect(report.calls[kind]?.ok, kind).toBeGreaterThan(0);
});
