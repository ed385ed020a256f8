import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program of the reader's, in their folder: what it prints, and its death. */
export class RunningProgram {
  #child;
  #printed = "";

  constructor(folder, file, { env = {}, args = [] } = {}) {
    this.#child = spawn(process.execPath, [file, ...args], { cwd: folder, env: { ...process.env, ...env } });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        this.#printed += text;
      });
  }

  get printed() {
    return this.#printed;
  }

  type(line) {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Closes its input, and waits for its end. */
  async end() {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, "exit");
    return this.#child.exitCode;
  }

  async kill() {
    this.#child.kill("SIGKILL");
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
  }
}
