import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openStore } from "@sessions/config";
import type { SessionStore } from "@sessions/protocol";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { durableStores } from "./durable-stores.js";
import { type Started, sessionsHere, started, temporaryFolder } from "./run-sessions.js";

const folder = new URL("../src/schemas/", import.meta.url);
const ajv = new Ajv({ allowUnionTypes: true });

async function schema(name: string): Promise<ValidateFunction> {
  const known = ajv.getSchema(`${name}.json`);
  return known ?? ajv.compile(JSON.parse(await readFile(new URL(`${name}.json`, folder), "utf8")));
}

async function expectValid(name: string, output: string): Promise<number> {
  const validate = await schema(name);
  const lines = output.split("\n").filter((line) => line !== "");
  for (const line of lines) {
    const value: unknown = JSON.parse(line);
    expect(validate(value), `${name}: ${JSON.stringify(validate.errors)}\n${line}`).toBe(true);
  }
  return lines.length;
}

/** Every command, what it prints, and how it ends. In this order: some change what the next ones see. */
const calls: readonly {
  readonly args: readonly string[];
  readonly schema: string;
  readonly code?: number;
  readonly lines?: number;
}[] = [
  { args: ["ls", "--all"], schema: "ls", lines: 30 },
  { args: ["ls", "-n", "3", "--label", "agent=corpus", "--since", "7d"], schema: "ls", lines: 3 },
  { args: ["show", "s0", "--all", "--archived"], schema: "show", lines: 1 },
  { args: ["show", "s24"], schema: "show", lines: 1 },
  { args: ["tail", "s0"], schema: "tail" },
  { args: ["search", "what if"], schema: "search", lines: 3 },
  { args: ["tree"], schema: "tree", lines: 3 },
  { args: ["tree", "s8"], schema: "tree", lines: 1 },
  { args: ["fork", "s0", "--as", "a-fork", "--title", "T"], schema: "fork", lines: 1 },
  { args: ["fork", "s0", "--snapshot", "early"], schema: "fork", lines: 1 },
  { args: ["snapshot", "s0", "named"], schema: "snapshot", lines: 1 },
  { args: ["snapshot", "s0", "--list"], schema: "snapshot", lines: 3 },
  { args: ["snapshot", "s0", "--drop", "late"], schema: "snapshot", lines: 1 },
  { args: ["revert", "s0", "--snapshot", "named", "--yes"], schema: "revert", lines: 1 },
  { args: ["archive", "s8", "--keep", "1", "--summary", "short"], schema: "archive", lines: 1 },
  { args: ["archive", "s8", "--keep", "9"], schema: "archive", lines: 1 },
  { args: ["export", "s0", "s8"], schema: "export", lines: 2 },
  { args: ["export", "--all"], schema: "export", lines: 32 },
  { args: ["stats"], schema: "stats", lines: 1 },
  { args: ["backup", "b.jsonl.gz"], schema: "backup", lines: 1 },
  { args: ["import", "b.jsonl.gz"], schema: "import", lines: 32 },
  { args: ["import", "bad.jsonl"], schema: "import", code: 3, lines: 1 },
  { args: ["doctor"], schema: "doctor", lines: 1 },
  { args: ["rm", "a-fork", "--yes"], schema: "rm", lines: 1 },
  { args: ["rm", "a-fork", "--yes"], schema: "rm", lines: 1, code: 3 },
];

const failures: readonly { readonly args: readonly string[]; readonly code: number }[] = [
  { args: ["show", "nobody"], code: 3 },
  { args: ["revert", "s0", "--snapshot", "nothing", "--yes"], code: 3 },
  { args: ["revert", "s0", "--message", "nothing", "--yes"], code: 3 },
  { args: ["revert", "s0"], code: 2 },
  { args: ["revert", "s0", "--snapshot", "early"], code: 5 },
  { args: ["rm", "s0"], code: 5 },
  { args: ["fork", "s0", "--as", "s8"], code: 5 },
  { args: ["import", "nowhere.jsonl"], code: 3 },
  { args: ["ls", "--store", "file:./nowhere"], code: 6 },
  { args: ["ls", "--store", "fiel:./x"], code: 2 },
  { args: ["migrate", "file:./nowhere", "sqlite:./x.db"], code: 6 },
];

describe.each(durableStores)("on $kind", ({ url }) => {
  test("the --json output of every command matches its schema", async () => {
    const cwd = await temporaryFolder();
    await using store = await openStore(url(cwd, "store"));
    await fillCorpus(store, 30);
    const place = { cwd, env: { SESSIONS_STORE: url(cwd, "store") } };
    await writeFile(join(cwd, "bad.jsonl"), "torn");
    const used = new Set<string>();
    for (const { args, schema: name, code = 0, lines } of calls) {
      used.add(name);
      const ended = await sessionsHere([...args, "--json"], place);
      expect(ended.code, `${args.join(" ")}\n${ended.stderr}`).toBe(code);
      const count = await expectValid(name, ended.stdout);
      if (lines !== undefined) expect(count, args.join(" ")).toBe(lines);
      if (code !== 0) await expectValid("error", ended.stderr);
    }
    const migrated = await sessionsHere(["migrate", url(cwd, "store"), url(cwd, "copy"), "--json"], place);
    await expectValid("migrate", migrated.stdout);
    const all = (await readdir(folder)).map((file) => file.replace(".json", ""));
    expect([...used, "migrate", "error"].toSorted(), "every schema was used").toEqual(all.toSorted());
  });

  test("with --json, a failure is one line of JSON on standard error and has the documented exit code", async () => {
    const cwd = await temporaryFolder();
    await using store = await openStore(url(cwd, "store"));
    await fillCorpus(store, 10);
    for (const { args, code } of failures) {
      const ended = await sessionsHere([...args, "--json"], {
        cwd,
        env: { SESSIONS_STORE: url(cwd, "store") },
      });
      expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code, stdout: "" });
      expect(await expectValid("error", ended.stderr)).toBe(1);
    }
    expect((await store.listSessions({ limit: 100 })).items, "nothing was done").toHaveLength(10);
  });

  test("tail -f follows another process: drafts as they grow, removals, the end; Ctrl-C stops it", async () => {
    const cwd = await temporaryFolder();
    await using store = await openStore(url(cwd, "store"));
    await store.addMessage("s", { id: "first", role: "user", content: "hello" });
    const run = started(["tail", "-f", "s", "--json"], { cwd, env: { SESSIONS_STORE: url(cwd, "store") } });
    const wholeStore = started(["tail", "-f", "--json"], { cwd, env: { SESSIONS_STORE: url(cwd, "store") } });
    await run.shows('"first"');
    await store.runTurn("s", {}, async (turn) => {
      await turn.append({ id: "draft", role: "assistant", content: "", status: "partial" });
      await run.shows('"draft"');
      await turn.extend("draft", { text: "half an answer" });
      await run.shows("half an answer");
      return [{ op: "extend", messageId: "draft", text: ", and the rest", status: "complete" } as const];
    });
    await run.shows("and the rest");
    await store.addMessage("s", { id: "last", role: "user", content: "thanks" });
    await run.shows("thanks");
    await untilHeard(wholeStore, store);
    await store.deleteSession("s");
    await run.shows('"deleted"');
    run.process.kill("SIGINT");
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    await expectValid("tail", stdout);
    await wholeStore.shows('"event":"deleted","sessionId":"s"');
    wholeStore.process.kill("SIGTERM");
    const other = await wholeStore.ended;
    expect(other.code).toBe(143);
    await expectValid("tail", other.stdout);
  });
});

/** Who follows the whole store hears what comes after it began: something goes on until it has heard of it. */
async function untilHeard(listener: Started, store: SessionStore): Promise<void> {
  let isHeard = false;
  const heard = listener.shows('"other"').then(() => {
    isHeard = true;
  });
  for (let n = 0; !isHeard; n++) {
    await store.addMessage("other", { role: "user", content: String(n) });
    await Promise.race([heard, setTimeout(50)]);
  }
  await heard;
}

test("the schemas refuse output of another shape", async () => {
  for (const file of await readdir(folder)) {
    const validate = await schema(file.replace(".json", ""));
    expect(validate({}), file).toBe(false);
    expect(validate([]), file).toBe(false);
  }
});
