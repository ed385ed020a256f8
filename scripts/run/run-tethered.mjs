import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { root } from "../root.mjs";
import { stopped, whileStoppable } from "./stop.mjs";

const tether = fileURLToPath(new URL("tether.mjs", import.meta.url));

/**
 * Runs a command that does not outlive this process, one at a time per checkout. Returns its exit code and its output. With
 * `onLine`, each line of its standard output goes there instead.
 */
export async function runTethered([command, ...args], { cwd = root, env, onLine }) {
  const child = spawn(process.execPath, [tether, root, command, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A new process group, so that the tether can kill exactly this group.
    detached: process.platform !== "win32",
  });
  child.on("message", (text) => console.error(text));
  const output = [];
  if (onLine) createInterface({ input: child.stdout }).on("line", onLine);
  else child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const code = await whileStoppable(child, exitOf(child));
  if (stopped()) throw stopped();
  return { code, output: Buffer.concat(output).toString() };
}

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
