import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LogFile } from "../../src/log/log-file.js";
import { readLogs } from "../../src/log/read-logs.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sessions-chaos-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const answer = { type: "unknown", process: "w1-1", call: 1, at: 1 } as const;

function writeOne(name: string): void {
  const log = new LogFile(folder, name);
  log.write(answer);
  log.close();
}

test("`readLogs` ignores the torn last line of a killed process", () => {
  writeOne("w1-1");
  appendFileSync(join(folder, "w1-1.jsonl"), '{"type":"ok","proc');
  expect(readLogs(folder)).toEqual([answer]);
});

test("`readLogs` throws at a damaged line that is not the last one", () => {
  writeOne("w1-1");
  appendFileSync(join(folder, "w1-1.jsonl"), '{"type":"ok","proc\n{}\n');
  expect(() => readLogs(folder)).toThrow(/w1-1\.jsonl:2: the log is spoilt/);
});

test("a second LogFile of the same name is refused", () => {
  writeOne("w1-1");
  expect(() => new LogFile(folder, "w1-1")).toThrow(/EEXIST/);
});

test("`readLogs` with a prefix reads the logs of one process", () => {
  writeOne("w1-1");
  writeOne("w1-11");
  expect(readLogs(folder, "w1-1.")).toHaveLength(1);
  expect(readLogs(folder)).toHaveLength(2);
});
