import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openStore } from "@sessions/config";
import { openJsonFileStore } from "@sessions/json-file";
import { expect, test } from "vitest";
import { progressLine } from "../src/terminal/progress.js";
import { fitted, widthOf, wrapped } from "../src/terminal/width.js";
import { fillCorpus } from "./corpus.js";
import { inTerminal } from "./pseudo-terminal.js";
import { sessions, sessionsHere, started, temporaryFolder } from "./run-sessions.js";

/** A store whose sessions would spoil any terminal that shows them as they are. */
async function hostileStore(): Promise<{
  readonly cwd: string;
  readonly env: { readonly SESSIONS_STORE: string };
}> {
  const cwd = await temporaryFolder();
  await using store = await openJsonFileStore({ root: join(cwd, "store"), durability: "relaxed" });
  await store.createSession("a-session-with-an-id-that-is-longer-than-any-column-of-a-table-should-be", {
    title: "荷物はどこですか？ 👩‍👩‍👧‍👦 a title that is much too long for a line of eighty columns, by far",
    labels: { user: "x".repeat(100), agent: "\x1b[2J" },
    metadata: { long: "y".repeat(300) },
  });
  await store.createSession("hostile", { title: "\x1b]0;owned\x07\x1b[31mred\r\nforged line" });
  const words = "a long answer with many words ".repeat(20);
  await store.addMessage("hostile", [
    { role: "user", content: `\x1b[2J\x1b[H${words}` },
    { role: "assistant\x1b[5m", content: `${"日本語".repeat(60)}\u202e\u009b31m` },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "call-1", type: "function", function: { name: "f", arguments: "{}" } }],
    },
  ]);
  await store.createSnapshot("hostile", "before");
  for (const n of [1, 2]) await store.forkSession("hostile", { newId: `fork-${n}`, title: words });
  await store.forkSession("fork-1", { newId: "fork-of-a-fork" });
  return { cwd, env: { SESSIONS_STORE: `file:${cwd}/store` } };
}

/** The only sequences that we ourselves send: colours, and drawing over a line. */
const ESCAPE = "\u001b";
const OURS = new RegExp(`${ESCAPE}\\[(?:0|1|2|22|31|32|36|39)m|\r${ESCAPE}\\[K`, "g");

/** Controls but the ends of lines and tabs, and what turns the direction of text. */
const COMMANDS = /[^\P{Cc}\r\n\t]|[\u202a-\u202e]/u;

test.each([
  [["ls"]],
  [["show", "hostile"]],
  [["show", "a-session-with-an-id-that-is-longer-than-any-column-of-a-table-should-be"]],
  [["tail", "hostile"]],
  [["tree"]],
  [["tree", "hostile"]],
  [["search", "answer"]],
  [["stats"]],
  [["doctor"]],
  [["snapshot", "hostile", "--list"]],
  [["show", "nobody"]],
  [["--help"]],
  [["migrate", "--help"]],
])("%j fits 80 columns, and sends nothing of the sessions' own to the terminal", async (args) => {
  const { raw, lines } = await inTerminal(args, await hostileStore());
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(80);
  expect(raw.replace(OURS, "")).not.toMatch(COMMANDS);
});

test("every command has help with examples, and all of it fits 80 columns", async () => {
  const place = { cwd: await temporaryFolder() };
  const { stdout } = await sessionsHere(["--help"], place);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
  expect(names).toHaveLength(17);
  for (const name of names) {
    const help = (await sessionsHere([name, "--help"], place)).stdout;
    expect(help).toMatch(/Examples:\n {2}\$ sessions /);
    expect(help).toMatch(/-s, --store <url>/);
    for (const line of help.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(80);
  }
});

test("output has colours in terminals only, and never with NO_COLOR", async () => {
  const place = await hostileStore();
  expect((await inTerminal(["ls"], place)).raw).toContain(`${ESCAPE}[36m`);
  expect((await inTerminal(["ls"], { ...place, env: { ...place.env, NO_COLOR: "1" } })).raw).not.toContain(
    ESCAPE,
  );
  expect((await sessions(["ls"], place)).stdout).not.toContain("\x1b");
});

test("sessions tree draws the forks of a session", async () => {
  const place = await hostileStore();
  const { stdout } = await sessions(["tree", "hostile"], place);
  expect(stdout.split("\n").map((line) => line.split("  ")[0]?.trimEnd())).toEqual([
    "hostile",
    "├─ fork-1",
    expect.stringMatching(/^│/),
    "└─ fork-2",
    "",
  ]);
});

test("destructive commands change nothing before they are confirmed", async () => {
  const place = await hostileStore();
  const no = await inTerminal(["rm", "fork-2"], place, [{ to: "[y/N]", type: "n\r" }]);
  expect(no.code).toBe(5);
  expect(no.raw).toContain("Nothing was changed.");
  const stopped = await inTerminal(["rm", "fork-2"], place, [{ to: "[y/N]", type: "\x03" }]);
  expect(stopped.code).not.toBe(0);
  const piped = await sessions(["rm", "fork-2"], { ...place, input: "y\n" });
  expect(piped.code).toBe(5);
  expect((await sessions(["show", "fork-2"], place)).code, "it is still there").toBe(0);
  const yes = await inTerminal(["rm", "fork-2"], place, [{ to: "[y/N]", type: "y\r" }]);
  expect(yes).toMatchObject({ code: 0, lines: expect.arrayContaining(["Deleted fork-2."]) });
});

test("long commands show their progress and clear it at the end", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store?durability=relaxed`);
  await fillCorpus(store, 150);
  const seen = await inTerminal(["migrate", "file:./store", "sqlite:./copy.db"], { cwd });
  expect(seen.code).toBe(0);
  expect(seen.raw).toMatch(/copying {2}\[#*-*\] {2}\d+% {2}\d+ of 150 {2}[\d.]+\/s {2}\d+ s left/);
  expect(seen.raw).toMatch(/comparing {2}\[/);
  expect(seen.lines).toEqual([
    "150 sessions: 150 copied, 0 updated, 0 there already.",
    "All 150 sessions are equal in both stores.",
    expect.stringMatching(/^sha256 /),
  ]);
});

test("Ctrl-C stops a migration with whole copies only, and the same command continues it", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store?durability=relaxed`);
  await fillCorpus(store, 150);
  const stopped = await inTerminal(
    ["migrate", "file:./store", "sqlite:./copy.db", "--concurrency", "1"],
    { cwd },
    [{ to: "copying", type: "\x03" }],
  );
  expect(stopped.code).toBe(130);
  expect((await sessions(["doctor", "--store", "sqlite:./copy.db"], { cwd })).code).toBe(0);
  expect((await sessions(["migrate", "file:./store", "sqlite:./copy.db"], { cwd })).code).toBe(0);
});

test("a reader that closes the pipe early causes no failure", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store?durability=relaxed`);
  await fillCorpus(store, 40);
  await store.addMessage("s0", { role: "user", content: "x".repeat(2_000_000) });
  const run = started(["export", "--all", "--store", `file:${cwd}/store`], { cwd });
  run.process.stdout?.once("data", () => run.process.stdout?.destroy());
  const { code, stderr } = await run.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("every shell gets a completion script, and that of bash completes the name of a command", async () => {
  const cwd = await temporaryFolder();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout } = await sessions(["completion", shell], { cwd });
    expect({ shell, code }).toEqual({ shell, code: 0 });
    for (const word of ["migrate", "doctor", "complete-ids"]) expect(stdout).toContain(word);
  }
  const script = (await sessions(["completion", "bash"], { cwd })).stdout;
  const ask = `${script}\nCOMP_WORDS=(sessions mig); COMP_CWORD=1; _sessions; echo "\${COMPREPLY[@]}"`;
  expect(spawnSync("bash", ["-c", ask], { encoding: "utf8" }).stdout).toBe("migrate\n");
});

test("texts are measured, cut and broken by columns", () => {
  expect(widthOf("日本👩‍👩‍👧‍👦é")).toBe(7);
  expect(fitted("日本語テキスト", 7)).toBe("日本語…");
  expect(wrapped("one two three four", 9)).toEqual(["one two", "three", "four"]);
  expect(wrapped("日本語".repeat(4), 10).every((line) => widthOf(line) <= 10)).toBe(true);
});

test("progress tells the rate and the time left", () => {
  expect(progressLine("copying", 450, 1000, 5)).toBe(
    "copying  [#########-----------]  45%  450 of 1000  90/s  7 s left",
  );
  expect(progressLine("copying", 10, 100_000, 5)).toBe(
    "copying  [--------------------]  0%  10 of 100000  2.0/s  13 h 53 min left",
  );
  expect(progressLine("searching", 10, undefined, 5)).toBe("searching  10  2.0/s");
});
