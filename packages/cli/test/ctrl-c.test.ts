import { readdir } from "node:fs/promises";
import { openStore } from "@sessions/config";
import { expect, test } from "vitest";
import { inTerminal, type Seen } from "./pseudo-terminal.js";
import { sessions, sessionsJson, temporaryFolder } from "./run-sessions.js";

const SESSIONS = 300;
const CTRL_C = "\x03";
const STORE = ["--store", "file:./store"];

/** A store that takes long to read: a command must not end before the keys that are pressed reach it. */
async function filled(): Promise<string> {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store?durability=relaxed`);
  const content = "a long text ".repeat(6000);
  for (let n = 0; n < SESSIONS; n++) await store.addMessage(`s${n}`, { role: "user", content });
  return cwd;
}

/** Runs a command until it shows a text, and presses Ctrl-C. Returns the last line. */
async function interrupted(cwd: string, args: readonly string[], at: string): Promise<string> {
  const seen: Seen = await inTerminal(args, { cwd }, [{ to: at, type: CTRL_C }]);
  expect(seen.code, seen.raw).toBe(130);
  const report = seen.raw.slice(seen.raw.lastIndexOf("Stopped. ")).replaceAll(/\s+/g, " ").trim();
  expect(report).toMatch(/^Stopped\. /);
  return report;
}

function numberIn(text: string, pattern: RegExp): number {
  const count = Number(pattern.exec(text)?.[1]);
  expect(count, text).toBeGreaterThan(0);
  expect(count, text).toBeLessThan(SESSIONS);
  return count;
}

test("Ctrl-C during migrate says what is copied, and the same command goes on from there", async () => {
  const cwd = await filled();
  const args = ["migrate", "file:./store", "sqlite:./copy.db", "--concurrency", "1"];
  const report = await interrupted(cwd, args, "copying");
  expect(report).toContain("Run the same command again: it goes on from there.");
  const copied = numberIn(report, /(\d+) copied, 0 updated/);
  const [rest] = await sessionsJson(args, { cwd });
  expect(rest).toMatchObject({ sessions: SESSIONS, same: copied, copied: SESSIONS - copied });
});

test("Ctrl-C during import says what came in, and the same command imports the rest", async () => {
  const cwd = await filled();
  await sessionsJson(["backup", "b.jsonl", ...STORE], { cwd });
  const args = ["import", "b.jsonl", "--store", "sqlite:./copy.db"];
  const imported = numberIn(await interrupted(cwd, args, "importing"), /Imported (\d+) sessions?,/);
  const rest = await sessions(args, { cwd });
  expect(rest).toMatchObject({
    code: 0,
    stdout: `Imported ${SESSIONS - imported} sessions, ${imported} were there already.\n`,
  });
});

test.each([
  ["backup", ["backup", "b.jsonl"], "backing up"],
  ["export", ["export", "--all", "-o", "b.jsonl"], "exporting"],
])("Ctrl-C during %s leaves no file, and says so", async (_name, args, at) => {
  const cwd = await filled();
  const before = await readdir(cwd);
  const report = await interrupted(cwd, [...args, ...STORE], at);
  numberIn(report, /(\d+) sessions? had been/);
  expect(report).toMatch(/b\.jsonl is as it was\. Run the same command again\.$/);
  expect(await readdir(cwd)).toEqual(before);
});

test("Ctrl-C during rm says how many sessions are deleted", async () => {
  const cwd = await filled();
  const ids = Array.from({ length: SESSIONS }, (_, n) => `s${n}`);
  const report = await interrupted(cwd, ["rm", ...ids, "--yes", ...STORE], "Deleted s0.");
  const deleted = numberIn(report, /(\d+) of 300 sessions deleted/);
  const [stats] = await sessionsJson(["stats", ...STORE], { cwd });
  expect(stats).toMatchObject({ sessions: SESSIONS - deleted, damaged: 0 });
});

test.each([
  ["doctor", ["doctor"], "checking"],
  ["search", ["search", "nothing"], "searching"],
])("Ctrl-C during %s says that nothing was changed", async (_name, args, at) => {
  const report = await interrupted(await filled(), [...args, ...STORE], at);
  numberIn(report, /(\d+) sessions? had been/);
  expect(report).toContain("Nothing was changed.");
});

test("Ctrl-C at a question changes nothing, with exit code 130", async () => {
  const cwd = await filled();
  const report = await interrupted(cwd, ["rm", "s0", ...STORE], "[y/N]");
  expect(report).toContain("Nothing was changed.");
  expect((await sessions(["show", "s0", ...STORE], { cwd })).code).toBe(0);
});
