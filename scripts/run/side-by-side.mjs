/** Runs commands side by side, and passes on what they print line by line: `node side-by-side.mjs '[["command", "argument"], …]'`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const codes = await Promise.all(JSON.parse(process.argv[2]).map(run));
process.exitCode = Math.max(...codes);

async function run([command, ...args]) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  createInterface({ input: child.stdout }).on("line", (line) => process.stdout.write(`${line}\n`));
  const [code] = await once(child, "close");
  return code ?? 1; // a signal has ended it
}
