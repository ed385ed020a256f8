import { spawn } from "node:child_process";
import { whileStoppable } from "../run/stop.mjs";

/**
 * Runs a command at a pseudo-terminal of `script` (util-linux). Returns what it wrote: pieces with their times in milliseconds.
 * A command that fails is an error.
 */
export async function recordTerminal(command, { columns, rows }) {
  const { NO_COLOR, ...env } = process.env;
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn(
    "script",
    ["-qec", `stty cols ${columns} rows ${rows} && exec ${quoted}`, "/dev/null"],
    {
      env: { ...env, TERM: "xterm" },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const start = performance.now();
  const output = [];
  child.stdout.setEncoding("utf8").on("data", (text) => output.push({ at: performance.now() - start, text }));
  const code = await whileStoppable(child, endOf(child));
  if (code !== 0) throw new Error(`${command.join(" ")} ended with exit code ${code}`);
  return output;
}

function endOf(child) {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code));
  });
}
