import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { openStore } from "@sessions/config";
import { describe, expect, test } from "vitest";
import { openVikingCases, praisonaiFiles, writeFiles } from "./foreign.js";
import {
  type Ended,
  sessions,
  sessionsHere,
  sessionsJson,
  started,
  temporaryFolder,
} from "./run-sessions.js";

const STORE = ["--store", "file:./store"];

const chat = { messages: [{ role: "user", content: "hello" }] };
const uiMessage = { id: "m1", role: "user", parts: [{ type: "text", text: "hello" }] };

async function bundle(): Promise<string> {
  await using store = await openStore("memory:");
  await store.addMessage("exported", { role: "user", content: "hello" });
  return `${JSON.stringify(await store.exportSession("exported"))}\n`;
}

/** A file or folder of each kind, and the number of sessions in it. */
const inputs: readonly {
  readonly kind: string;
  readonly path: string;
  readonly sessions: number;
  files(): Promise<Readonly<Record<string, unknown>>>;
}[] = [
  { kind: "bundle", path: "s.jsonl", sessions: 1, files: async () => ({ "s.jsonl": await bundle() }) },
  {
    kind: "openai-jsonl",
    path: "chats.jsonl",
    sessions: 2,
    files: async () => ({ "chats.jsonl": `${JSON.stringify(chat)}\n${JSON.stringify(chat)}\n` }),
  },
  {
    kind: "openai-jsonl",
    path: "messages.jsonl",
    sessions: 1,
    files: async () => ({
      "messages.jsonl": chat.messages.map((each) => `${JSON.stringify(each)}\n`).join(""),
    }),
  },
  {
    kind: "ui-messages",
    path: "ui.json",
    sessions: 1,
    files: async () => ({ "ui.json": JSON.stringify([uiMessage], null, 2) }),
  },
  {
    kind: "ui-messages",
    path: "ui",
    sessions: 2,
    files: async () => ({ "ui/a.json": [uiMessage], "ui/b.json": { id: "b", messages: [uiMessage] } }),
  },
  {
    kind: "praisonai",
    path: "praison",
    sessions: 6,
    files: async () =>
      Object.fromEntries(Object.entries(praisonaiFiles).map(([name, file]) => [`praison/${name}`, file])),
  },
  {
    kind: "openviking",
    path: "viking",
    sessions: 1,
    files: async () =>
      Object.fromEntries(
        Object.entries(openVikingCases[0].files).map(([name, file]) => [`viking/${name}`, file]),
      ),
  },
];

describe.each(inputs)("an input of the kind $kind: $path", ({ kind, path, sessions: count, files }) => {
  test("is detected and imported by --from auto", async () => {
    const cwd = await temporaryFolder();
    await writeFiles(cwd, await files());
    const results = await sessionsJson(["import", "--from", "auto", path, ...STORE], { cwd });
    expect(results).toHaveLength(count);
    for (const result of results) expect(result).toMatchObject({ status: "imported" });
    await using store = await openStore(`file:${cwd}/store`);
    expect((await store.listSessions()).items).toHaveLength(count);
  });

  test("is refused as another kind, with the --from to give and exit code 1, and makes no store", async () => {
    const cwd = await temporaryFolder();
    await writeFiles(cwd, await files());
    const other = kind === "bundle" ? "praisonai" : "bundle";
    const ended = await sessionsHere(["import", "--from", other, path, ...STORE], { cwd });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain(`--from ${kind}`);
    expect(ended.stderr.trim().split("\n"), "one line, however many sessions there are").toHaveLength(1);
    expect((await sessionsHere(["ls", ...STORE], { cwd })).code).toBe(6);
  });
});

test("--from auto says what can be imported when a file looks like nothing of that", async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "notes.txt"), "hello\n");
  const ended = await sessionsHere(["import", "--from", "auto", "notes.txt", ...STORE], { cwd });
  expect(ended).toMatchObject({ code: 3, stdout: "" });
  for (const kind of ["bundle", "openai-jsonl", "ui-messages", "praisonai", "openviking"])
    expect(ended.stderr).toContain(`(${kind})`);
});

const SESSIONS = 12;

/** A backup of a store with some sessions. */
async function backedUp(cwd: string, name: string): Promise<Buffer> {
  await using store = await openStore(`file:${cwd}/source?durability=relaxed`);
  for (let n = 0; n < SESSIONS; n++)
    await store.addMessage(`s${n}`, { role: "user", content: `hello ${n} `.repeat(500) });
  expect((await sessionsHere(["backup", name, "--store", "file:./source"], { cwd })).code).toBe(0);
  return readFile(join(cwd, name));
}

async function storedSessions(cwd: string): Promise<number> {
  await using store = await openStore(`file:${cwd}/store`);
  return (await store.listSessions({ limit: 100 })).items.length;
}

function reported({ stderr }: Ended): number {
  const lines = stderr.trim().split("\n");
  expect(lines, "one line").toHaveLength(1);
  return Number(
    /is cut off: .*\. Imported (\d+) sessions?, 0 were there already\. What follows is missing\./.exec(
      stderr,
    )?.[1],
  );
}

describe("a truncated backup", () => {
  const cuts: readonly (readonly [string, string, (whole: Buffer) => Buffer])[] = [
    ["in the middle of a line", "b.jsonl", (whole) => whole.subarray(0, Math.floor(whole.length / 2))],
    [
      "before its last line",
      "b.jsonl",
      (whole) => whole.subarray(0, whole.lastIndexOf("\n", whole.length - 2) + 1),
    ],
    ["in its packed data", "b.jsonl.gz", (whole) => whole.subarray(0, whole.length - 20)],
  ];
  test.each(cuts)(
    "%s (%s) is reported in one sentence with the number of sessions that came in",
    async (_where, name, cut) => {
      const cwd = await temporaryFolder();
      await writeFile(join(cwd, name), cut(await backedUp(cwd, name)));
      const ended = await sessionsHere(["import", name, ...STORE], { cwd });
      expect(ended).toMatchObject({ code: 4, stdout: "" });
      const count = reported(ended);
      expect(count).toBeGreaterThan(0);
      expect(await storedSessions(cwd)).toBe(count);
    },
  );

  test("of which a line is missing in the middle is reported with both numbers", async () => {
    const cwd = await temporaryFolder();
    const lines = (await backedUp(cwd, "b.jsonl")).toString("utf8").split("\n");
    await writeFile(join(cwd, "b.jsonl"), lines.toSpliced(4, 1).join("\n"));
    const ended = await sessionsHere(["import", "b.jsonl", ...STORE], { cwd });
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain(`ends a backup of ${SESSIONS} sessions, and ${SESSIONS - 1} were read`);
  });
});

test("a backup that was edited is imported, and the difference is reported", async () => {
  const cwd = await temporaryFolder();
  const text = (await backedUp(cwd, "b.jsonl")).toString("utf8");
  await writeFile(join(cwd, "b.jsonl"), text.replace("hello 3 ", "jello 3 "));
  const ended = await sessionsHere(["import", "b.jsonl", ...STORE], { cwd });
  expect(ended.code).toBe(4);
  expect(ended.stderr).toContain(
    "whose sessions were changed after it was written; they are read as they are now.",
  );
  expect(ended.stderr).toContain("That line was not imported.");
  expect(ended.stderr).not.toContain("It was not imported.");
  expect(ended.stdout).toContain(`Imported ${SESSIONS} sessions, 0 were there already.`);
});

test("a backup without a first line, as earlier versions wrote it, is imported", async () => {
  const cwd = await temporaryFolder();
  const [, ...lines] = (await backedUp(cwd, "b.jsonl")).toString("utf8").split("\n");
  await writeFile(join(cwd, "b.jsonl"), lines.join("\n"));
  expect(await sessionsHere(["import", "b.jsonl", ...STORE], { cwd })).toMatchObject({ code: 0 });
  expect(await storedSessions(cwd)).toBe(SESSIONS);
});

describe("backup -", () => {
  test("writes to standard output what backup writes into a file, and import - reads it", async () => {
    const cwd = await temporaryFolder();
    const file = await backedUp(cwd, "b.jsonl.gz");
    const ended = await sessions(["backup", "-", "--store", "file:./source"], { cwd });
    expect(ended).toMatchObject({ code: 0, stdout: gunzipSync(file).toString("utf8") });
    expect(ended.stderr).toContain(`${SESSIONS} sessions are in the backup. sha256 `);
    const piped = await sessions(["import", "-", ...STORE], { cwd, input: ended.stdout });
    expect(piped).toMatchObject({
      code: 0,
      stdout: `Imported ${SESSIONS} sessions, 0 were there already.\n`,
    });
  });

  test("does not report success when its reader ends early", async () => {
    const cwd = await temporaryFolder();
    await backedUp(cwd, "b.jsonl");
    await using store = await openStore(`file:${cwd}/source?durability=relaxed`);
    await store.addMessage("s0", { role: "user", content: "x".repeat(2_000_000) });
    const run = started(["backup", "-", "--store", "file:./source"], { cwd });
    run.process.stdout?.once("data", () => run.process.stdout?.destroy());
    const { code, stderr } = await run.ended;
    expect(code).toBe(1);
    expect(stderr).toContain("The backup is not complete.");
  });

  test("refuses --json, because the backup itself is the output", async () => {
    const cwd = await temporaryFolder();
    await backedUp(cwd, "b.jsonl");
    const ended = await sessionsHere(["backup", "-", "--json", "--store", "file:./source"], { cwd });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
  });
});

test("a packed file that holds no packed data is not called truncated", async () => {
  const cwd = await temporaryFolder();
  const whole = gzipSync(await bundle());
  whole[20] = (whole[20] ?? 0) ^ 0xff;
  await writeFile(join(cwd, "b.gz"), whole);
  const ended = await sessionsHere(["import", "b.gz", ...STORE], { cwd });
  expect(ended).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("It is damaged, or not made by gzip."),
  });
});
