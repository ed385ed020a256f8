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

test("the torn last line of a killed process is left out", () => {
  writeOne("w1-1");
  appendFileSync(join(folder, "w1-1.jsonl"), '{"type":"ok","proc');
  expect(readLogs(folder)).toEqual([answer]);
});

test("a spoilt line in the middle is not read over", () => {
  writeOne("w1-1");
  appendFileSync(join(folder, "w1-1.jsonl"), '{"type":"ok","proc\n{}\n');
  expect(() => readLogs(folder)).toThrow(/w1-1\.jsonl:2: the log is spoilt/);
});

test("a log is never continued by another process of the same name", () => {
  writeOne("w1-1");
  expect(() => new LogFile(folder, "w1-1")).toThrow(/EEXIST/);
});

test("the logs of one process can be read alone", () => {
  writeOne("w1-1");
  writeOne("w1-11");
  expect(readLogs(folder, "w1-1.")).toHaveLength(1);
  expect(readLogs(folder)).toHaveLength(2);
});
