import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openStore } from "@sessions/config";
import { describe, expect, test } from "vitest";
import { type Ended, sessions, sessionsHere, temporaryFolder } from "./run-sessions.js";

const STORE = ["--store", "file:./store"];
const TITLE_SEQUENCE = "\u001b]0;owned\u0007";
const CLEAR_SCREEN = "\u009b2J";
const HOSTILE = `a${TITLE_SEQUENCE}${CLEAR_SCREEN}\u202eb\r`;

/** Everything that a terminal obeys, but line feeds and tabs. */
const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u;

function expectTold({ stdout, stderr }: Ended): void {
  expect(stderr).not.toBe("");
  expect(stdout + stderr, "no stack trace").not.toMatch(/\n\s+at /);
  expect(stdout + stderr, "nothing that a terminal obeys").not.toMatch(OBEYED);
}

function expectJson({ stdout, stderr }: Ended): void {
  for (const line of (stdout + stderr).split("\n").filter((one) => one !== "")) JSON.parse(line);
}

async function exported(): Promise<string> {
  await using store = await openStore("memory:");
  await store.addMessage("s", { role: "user", content: "hello", id: "m1" });
  return JSON.stringify(await store.exportSession("s"));
}

const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const kinds = ["bundle", "openai-jsonl", "ui-messages", "praisonai"];

describe("import", () => {
  test.each(kinds)("of deeply nested JSON as %s says so, without a stack trace", async (kind) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, "deep.json"), deep(100_000));
    const args = ["import", "--from", kind, "deep.json", ...STORE];
    const ended = await sessions(args, { cwd });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/nested too deeply|is no session/);
    expectTold(ended);
    const json = await sessionsHere([...args, "--json"], { cwd });
    expect(json.code).toBe(3);
    expectJson(json);
  });

  test("of a bundle with a message that is nested too deeply refuses that session", async () => {
    const cwd = await temporaryFolder();
    const bundle = (await exported()).replace('"hello"', `"hello","deep":${deep(520)}`);
    await writeFile(join(cwd, "deep.json"), bundle);
    const ended = await sessionsHere(["import", "deep.json", ...STORE], { cwd });
    expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining("bundle.session.messages[0]") });
    expectTold(ended);
  });

  const files: readonly (readonly [
    what: string,
    name: string,
    code: number,
    of: (bundle: string) => Buffer,
  ])[] = [
    ["an empty file", "f.json", 3, () => Buffer.alloc(0)],
    ["an empty line", "f.jsonl", 3, () => Buffer.from("\n\n")],
    ["binary data", "f.json", 3, () => Buffer.from([0, 255, 254, 27, 91, 50, 74, 10, 200])],
    ["text", "f.json", 3, () => Buffer.from(`hello ${HOSTILE}`)],
    ["JSON that is no bundle", "f.json", 3, () => Buffer.from('{"a":1}')],
    ["an array of what is no bundle", "f.json", 3, () => Buffer.from('[1,\n"a",null]')],
    ["a bundle in UTF-16", "f.json", 3, (bundle) => Buffer.from(`\ufeff${bundle}`, "utf16le")],
    ["a bundle with a byte order mark", "f.json", 0, (bundle) => Buffer.from(`\ufeff${bundle}\n`)],
    ["a bundle over several lines with a byte order mark", "f.json", 0, (bundle) => pretty(bundle)],
    ["a bundle and a torn line", "f.jsonl", 4, (bundle) => Buffer.from(`${bundle}\n${bundle.slice(0, 40)}`)],
    ["a bundle and other JSON", "f.jsonl", 4, (bundle) => Buffer.from(`{"log":1}\n${bundle}\n`)],
    ["a packed bundle", "f.gz", 0, (bundle) => gzipSync(bundle)],
    ["what is not packed", "f.gz", 4, (bundle) => Buffer.from(bundle)],
    ["a packed bundle that is cut off", "f.gz", 4, (bundle) => gzipSync(bundle).subarray(0, -12)],
    ["a backup of an empty store", "f.jsonl", 0, () => Buffer.from(FOOTER)],
  ];
  test.each(files)("of %s (%s) ends with exit code %i", async (_what, name, code, of) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, name), of(await exported()));
    const ended = await sessionsHere(["import", name, ...STORE], { cwd });
    expect(ended.code, ended.stderr).toBe(code);
    if (code !== 0) expectTold(ended);
    const json = await sessionsHere(["import", name, ...STORE, "--json"], { cwd });
    expect(json.code).toBe(code);
    expectJson(json);
  });

  test.each(kinds)("of what is no chat as %s makes no session and no store", async (kind) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, "other.json"), '{"a":1}');
    const ended = await sessionsHere(["import", "--from", kind, "other.json", ...STORE], { cwd });
    expect(ended.code).toBe(3);
    expectTold(ended);
    expect((await sessionsHere(["ls", ...STORE], { cwd })).stderr).not.toContain("No sessions.");
  });

  test("of a chat with 200 000 messages works", async () => {
    const cwd = await temporaryFolder();
    const messages = Array.from({ length: 200_000 }, () => ({ role: "user", content: "x" }));
    await writeFile(join(cwd, "long.json"), JSON.stringify({ messages }));
    const ended = await sessionsHere(["import", "--from", "ui-messages", "long.json", ...STORE], { cwd });
    expect(ended).toMatchObject({ code: 0 });
  });
});

const FOOTER = '{"format":"sessions-backup","version":1,"sessions":0,"digest":"x"}\n';

function pretty(bundle: string): Buffer {
  return Buffer.from(`\ufeff${JSON.stringify(JSON.parse(bundle), undefined, 2)}`);
}

/** Every command with hostile text wherever it takes text. */
const hostileCalls: readonly (readonly string[])[] = [
  [HOSTILE],
  [`--${HOSTILE}`],
  ["ls", `--${HOSTILE}`],
  ["ls", HOSTILE, HOSTILE],
  ["ls", "-n", HOSTILE],
  ["ls", "--since", HOSTILE],
  ["ls", "--label", HOSTILE],
  ["show", `nobody${HOSTILE}`],
  ["tail", `nobody${HOSTILE}`],
  ["tree", `nobody${HOSTILE}`],
  ["fork", `nobody${HOSTILE}`, "--as", HOSTILE],
  ["snapshot", `nobody${HOSTILE}`, HOSTILE],
  ["revert", `nobody${HOSTILE}`, "--snapshot", HOSTILE, "--yes"],
  ["archive", `nobody${HOSTILE}`],
  ["export", `nobody${HOSTILE}`],
  ["export", "s", "--out", `no-folder/${HOSTILE}`],
  ["import", `no-file${HOSTILE}`],
  ["import", "--from", HOSTILE, "x"],
  ["backup", `no-folder/${HOSTILE}`],
  ["migrate", `file:./${HOSTILE}`, `file:./none${HOSTILE}`],
  ["doctor", HOSTILE],
  ["completion", HOSTILE],
  ["ls", "--store", `file:./none${HOSTILE}`],
  ["ls", "--store", `${HOSTILE}://x`],
  ["ls", "--store", `file:./store?a${HOSTILE}=1`],
  ["rm", `nobody${HOSTILE}`],
];

test.each(hostileCalls.map((args) => [args.join(" ").slice(0, 30), args] as const))(
  "no control character of an argument reaches the terminal: %j",
  async (_title, args) => {
    const cwd = await temporaryFolder();
    await (await openStore(`file:${cwd}/store`)).close();
    const given = args.includes("--store") ? args : [...args, ...STORE];
    const ended = await sessionsHere(given, { cwd });
    expect([1, 2, 3, 5, 6], ended.stderr).toContain(ended.code);
    expectTold(ended);
    const json = await sessionsHere([...given, "--json"], { cwd });
    expect(json.code).toBe(ended.code);
    expect(json.stdout + json.stderr).not.toMatch(OBEYED);
    expectJson(json);
  },
);

test("an argument with a NUL character is refused", async () => {
  const cwd = await temporaryFolder();
  for (const args of [
    ["import", "a\0b"],
    ["backup", "a\0b"],
    ["ls", "--store", "file:a\0b"],
    ["show", "\0"],
  ]) {
    const ended = await sessionsHere(args, { cwd });
    expect(ended.code).toBe(2);
    expectTold(ended);
  }
});

test.each(["ls", "show", "tail", "tree", "stats", "doctor", "search", "export"])(
  "no control character of a session reaches the terminal: %s",
  async (name) => {
    const cwd = await temporaryFolder();
    await using store = await openStore(`file:${cwd}/store`);
    const id = `s${HOSTILE}`;
    await store.createSession(id, {
      title: HOSTILE,
      labels: { user: HOSTILE },
      metadata: { [HOSTILE]: HOSTILE },
    });
    await store.addMessage(id, { role: HOSTILE, content: `needle ${HOSTILE}`, name: HOSTILE });
    const args: Readonly<Record<string, readonly string[]>> = {
      show: [id],
      tail: [id],
      tree: [id],
      search: ["needle"],
      export: [id],
    };
    for (const flags of [[], ["--json"]]) {
      const ended = await sessionsHere([name, ...(args[name] ?? []), ...STORE, ...flags], { cwd });
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.stdout + ended.stderr).not.toMatch(OBEYED);
    }
  },
);

test("a wrong command line with --json is one line of JSON", async () => {
  const cwd = await temporaryFolder();
  for (const args of [["lss"], ["ls", "--bogus"], ["show"], ["ls", "-n", "x"], []]) {
    const { code, stdout, stderr } = await sessionsHere([...args, "--json"], { cwd });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: expect.stringMatching(/./), exitCode: 2 } });
  }
});
