import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openStore } from "@sessions/config";
import { startServer } from "redis-servers";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { readOptions } from "../src/options.js";
import { runLoad } from "../src/run-load.js";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const SMALL = ["--updates", "200", "--users", "20", "--workers", "3"];

const server = await startServer();
afterAll(() => server.stop());

/** The stores, in the form of SESSIONS_STORE. */
const stores: readonly { readonly kind: string; readonly url: (folder: string) => string }[] = [
  { kind: "file", url: (folder) => `file:${folder}/sessions` },
  { kind: "sqlite", url: (folder) => `sqlite:${folder}/sessions.db` },
  { kind: "redis", url: () => server.url },
];

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "load-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the program as users do: only the environment selects the store. */
async function run(store: string, args: readonly string[]) {
  const env = { ...process.env, SESSIONS_STORE: store };
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"], env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output, errors };
}

test.each(stores)(
  "on $kind, no update is lost or stored twice although workers are killed",
  async ({ kind, url }) => {
    const where = url(await temporaryFolder());
    await using store = await openStore(where);
    await store.addMessage("theirs", { role: "user", content: "Hello." });
    const { code, output, errors } = await run(where, [...SMALL, "--kills", "2", "--json"]);
    expect(code, errors).toBe(0);
    console.log(JSON.stringify(JSON.parse(output)));
    const sound = { sent: 200, answered: 200, lost: 0, doubled: 0, unfinished: 0, verdict: "sound" };
    expect(JSON.parse(output)).toMatchObject({ ...sound, kills: 2, store: kind });
    // Earlier contents of the store are unchanged, and nothing of the run stays.
    const { items } = await store.listSessions();
    expect(items.map(({ id }) => id)).toEqual(["theirs"]);
  },
);

test("a store that processes cannot share is refused with a message that says what to do", async () => {
  const { code, errors } = await run("memory:", SMALL);
  expect(code).toBe(1);
  expect(errors).toContain("Name another store.");
});

test("a run reports a bot that rewrites the whole history without a turn", async () => {
  const where = pathToFileURL(await temporaryFolder()).href;
  const options = readOptions([...SMALL, "--kills", "0", "--store", where], {});
  if (options === undefined) throw new Error("there are no options");
  const brokenWorker = new URL("./broken-workers/load-and-replace.mjs", import.meta.url);
  const report = await runLoad(options, () => undefined, new AbortController().signal, brokenWorker);
  expect(report.verdict).toBe("violated");
  expect(report.kept).toContain("platform load-");
  expect(report.lost).toBeGreaterThan(0);
  expect(report.doubled).toBeGreaterThan(0);
});

test("Ctrl-C ends the run and its workers, and removes its folder", async () => {
  const folder = await temporaryFolder();
  const env = { ...process.env, TMPDIR: folder, SESSIONS_STORE: "" };
  const child = spawn(process.execPath, [MAIN, "--updates", "100000", "--json"], { stdio: "pipe", env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (data) => {
    printed += String(data);
  });
  await expect.poll(() => childrenOf(child.pid), { timeout: 50_000 }).toHaveLength(4);
  const workers = await childrenOf(child.pid);
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  expect(code).toBe(130);
  expect(JSON.parse(printed)).toMatchObject({ verdict: "interrupted" });
  expect(await readdir(folder)).toEqual([]);
  expect(workers.filter(isAlive)).toEqual([]);
});

/** The child processes of a process. Linux only. */
async function childrenOf(pid: number | undefined): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
