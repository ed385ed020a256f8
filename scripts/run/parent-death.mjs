import { readFileSync } from "node:fs";

const everyMilliseconds = 250;
const shells = new Set(["sh", "dash", "bash", "ash", "ksh", "zsh"]);

/**
 * Calls back when the npm that runs this script ends without a signal to it: after a kill -9, or after a SIGTERM, which npm
 * sends to the `sh` in between, and which `sh` does not pass on.
 */
export function onParentDeath(callback) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = line();
  const timer = setInterval(() => {
    if (line() === before) return;
    clearInterval(timer);
    callback();
  }, everyMilliseconds);
  timer.unref();
}

/** The parent process and, behind a shell, its parent. This changes when one of them dies. */
function line() {
  const parent = status(process.ppid);
  return parent !== undefined && shells.has(parent.name)
    ? `${process.ppid} ${parent.parent}`
    : `${process.ppid}`;
}

/** The name and the parent of a process. Only Linux has them; elsewhere only our parent is watched. */
function status(pid) {
  if (process.platform !== "linux") return undefined;
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return { name, parent: rest.split(" ")[1] };
  } catch (error) {
    // The process has ended in the meantime, which is what this function detects.
    if (error.code === "ENOENT" || error.code === "ESRCH") return undefined;
    throw error;
  }
}
