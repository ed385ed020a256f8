import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";

const PROGRAM = `
import { startServer } from "redis-servers";
const server = await startServer({ aof: "always" });
const paused = await startServer();
paused.pause();
await server.kill();
await server.restart();
console.log(JSON.stringify([server, paused].map(({ pid, folder }) => ({ pid, folder }))));
setInterval(() => undefined, 1000);
`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

test("servers, also one that stands still, and their folders are gone when who started them is killed -9", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [printed] = await once(child.stdout, "data");
  const servers: { pid: number; folder: string }[] = JSON.parse(String(printed));
  expect(servers.map(({ pid }) => isAlive(pid))).toEqual([true, true]);
  child.kill("SIGKILL");
  await expect.poll(() => servers.some(({ pid }) => isAlive(pid)), { timeout: 30_000 }).toBe(false);
  await expect.poll(() => servers.some(({ folder }) => existsSync(folder)), { timeout: 30_000 }).toBe(false);
});
