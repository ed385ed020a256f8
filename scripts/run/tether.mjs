/**
 * Runs a command and kills it when its parent process has ended: `node tether.mjs <folder> <command> [argument...]`.
 *
 * pnpm and turbo would otherwise continue to write after a kill -9 of the script that started them, to folders that the next run
 * reads. The tether leads a new process group, holds the lock of the checkout so that the next run waits, and detects the end
 * of its parent by the closing of its channel.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { holdFolder } from "./one-at-a-time.mjs";

const graceMilliseconds = 5000;
const [folder, command, ...args] = process.argv.slice(2);
let stopping = false;
let child;

process.once("disconnect", () => stop("SIGTERM"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));

// A nested command (a test that runs `npm start`) would wait for the lock of its own ancestor.
if (process.env.CHECKOUT_HELD !== folder) {
  await holdFolder(folder, () => process.send?.("waiting for another run in this checkout to end"));
}
child = spawn(command, args, { stdio: "inherit", env: { ...process.env, CHECKOUT_HELD: folder } });
child.once("error", (error) => {
  console.error(`could not run ${command}: ${error.message}`);
  process.exit(127);
});
child.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

function stop(signal) {
  if (stopping) return;
  stopping = true;
  if (child === undefined) process.exit(128 + constants.signals[signal]);
  toGroup(signal);
  setTimeout(() => toGroup("SIGKILL"), graceMilliseconds);
}

/** Signals the whole group, because not every launcher passes a signal on. */
function toGroup(signal) {
  if (process.platform === "win32") child.kill(signal);
  else process.kill(-process.pid, signal);
}
