import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits for the lock of `folder`, and keeps it until this process ends. The lock is an abstract socket, which the system closes
 * with the process, so that a kill -9 leaves no stale lock. macOS has no abstract sockets; there, two runs in one checkout are
 * not kept apart.
 */
export async function holdFolder(folder, onWait) {
  const name = vanishingName(folder);
  if (name === undefined) return;
  for (let waits = 0; !(await listen(name)); waits += 1) {
    if (waits === 0) onWait?.();
    await delay(100);
  }
}

function vanishingName(folder) {
  const id = `sessions-${createHash("sha256").update(folder).digest("hex").slice(0, 24)}`;
  if (process.platform === "linux") return `\0${id}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${id}`;
  return undefined;
}

function listen(name) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error)));
    server.listen(name, () => {
      server.unref();
      resolve(true);
    });
  });
}
