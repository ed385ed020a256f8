import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "redis-servers";
import { afterAll, expect, onTestFinished, test } from "vitest";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

const server = await startServer();
afterAll(() => server.stop());

/** The stores, in the form of SESSIONS_STORE. An empty value is the default. */
const stores = ["", "memory:", "file:./sessions", "sqlite:./sessions.db", server.url];

/** Another folder gives another store, even if the store is not in the folder. */
function run(store: string, cwd: string, args: readonly string[] = []): string {
  const env = {
    ...process.env,
    SESSIONS_STORE: store === server.url ? `${store}?prefix=${basename(cwd)}` : store,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "first-steps-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Replaces what differs between runs: generated ids and times. */
const evened = (text: string): string =>
  text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>").replace(/\d{13}/g, "<time>");

test.each(stores)("with only SESSIONS_STORE set, the program does the same on the store %s", (store) => {
  const [here, there] = [folder(), folder()];
  const expected = evened(run("memory:", here)).replace(/a memory store/, "a <kind> store");
  expect(evened(run(store, there)).replace(/a [\w-]+ store/, "a <kind> store")).toBe(expected);
  expect(evened(run(store, folder(), ["--json"]))).toBe(evened(run("memory:", here, ["--json"])));
  run(store, there); // and again, on the existing data
});
