import { constants } from "node:os";
import { onParentDeath } from "./parent-death.mjs";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const children = new Set();
let stop;

/** Thrown in a script that got a stop signal, after its child processes have ended. */
class Stopped extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** The `Stopped` to throw if this process got a stop signal. */
export const stopped = () => stop;

/** Passes SIGINT, SIGTERM and SIGHUP on to running children. The death of npm is a SIGTERM to ourselves. */
export function listenForStop() {
  for (const signal of signals) process.on(signal, requestStop);
  onParentDeath(() => process.kill(process.pid, "SIGTERM"));
}

/** Restores the default handling of signals. */
export function leaveStopToOthers() {
  for (const signal of signals) process.off(signal, requestStop);
}

/** Waits for `ending`; until then, `child` gets the signals that this process gets. */
export async function whileStoppable(child, ending) {
  children.add(child);
  if (stop) child.kill("SIGTERM");
  try {
    return await ending;
  } finally {
    children.delete(child);
  }
}

function requestStop(signal) {
  stop ??= new Stopped(signal);
  for (const child of children) child.kill(signal);
}
