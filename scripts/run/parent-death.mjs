import { readFileSync } from "node:fs";

const everyMilliseconds = 250;
const shells = new Set(["sh", "dash", "bash", "ash", "ksh", "zsh"]);

/**
 * Calls back when the npm that runs this script dies without a word to it: after a kill -9, or after a
 * SIGTERM, which npm hands to the `sh` between us and which `sh` keeps to itself.
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

/** Who stands between us and npm, npm included. A dead ancestor changes it. */
function line() {
  const parent = status(process.ppid);
  return parent !== undefined && shells.has(parent.name)
    ? `${process.ppid} ${parent.parent}`
    : `${process.ppid}`;
}

/** A process's name and parent. Only Linux tells; elsewhere our own parent is all we watch. */
function status(pid) {
  if (process.platform !== "linux") return undefined;
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return { name, parent: rest.split(" ")[1] };
  } catch (error) {
    // It died between being named and being read: that is what we are here to notice.
    if (error.code === "ENOENT" || error.code === "ESRCH") return undefined;
    throw error;
  }
}
