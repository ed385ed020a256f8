import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "redis-servers";
import { expect, onTestFinished, test } from "vitest";
import { type Options, readOptions } from "../src/options.js";
import { type Report, runLoad } from "../src/run-load.js";

const worker = (path: string): URL => new URL(path, import.meta.url);
const OURS = worker("../dist/worker.js");

async function run(options: Partial<Options>, program: URL = OURS): Promise<Report> {
  const defaults = readOptions(["--updates", "250", "--users", "20", "--kills", "2", "--workers", "3"]);
  if (defaults === undefined) throw new Error("there are no options");
  const report = await runLoad(
    { ...defaults, ...options },
    () => undefined,
    new AbortController().signal,
    program,
  );
  console.log(JSON.stringify(report));
  return report;
}

const SOUND = { sent: 250, answered: 250, lost: 0, doubled: 0, kills: 2, unfinished: 0, verdict: "sound" };

test("on json-file: workers are killed, nothing is lost, nothing is doubled", async () => {
  expect(await run({})).toMatchObject(SOUND);
});

test("on Redis: workers are killed, nothing is lost, nothing is doubled", async () => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  expect(await run({ redis: server.url })).toMatchObject({ ...SOUND, store: "redis" });
});

test("a bot that reads, thinks and writes everything back is found out", async () => {
  const report = await run({ kills: 0 }, worker("./twins/load-and-replace.mjs"));
  if (report.kept !== undefined) await rm(report.kept, { recursive: true });
  expect(report.verdict).toBe("violated");
  expect(report.lost).toBeGreaterThan(0);
  expect(report.doubled).toBeGreaterThan(0);
});

test("Ctrl-C ends the run, its workers and its folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "interrupted-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const main = fileURLToPath(worker("../dist/main.js"));
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, [main, "--updates", "100000", "--json"], { stdio: "pipe", env });
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

/** Linux tells which processes a process has started. */
async function childrenOf(pid: number | undefined): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
