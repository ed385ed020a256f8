import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const main: string = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** How a chat process ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The built chat in another process, with pipes. It ends with its test. */
export class ChatProcess {
  output = "";
  errors = "";
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<unknown[]>;
  readonly #checks = new Set<() => void>();

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(command, args, { env: { ...plainEnvironment(), ...env } });
    this.#closed = once(this.#child, "close");
    this.#child.stdout.setEncoding("utf8").on("data", (text) => this.#heard({ output: text, errors: "" }));
    this.#child.stderr.setEncoding("utf8").on("data", (text) => this.#heard({ output: "", errors: text }));
    // A chat that has ended takes no more input. How it ended is what tests look at.
    this.#child.stdin.on("error", () => undefined);
    onTestFinished(() => void this.#child.kill("SIGKILL"));
  }

  /** The chat on the conversations in `folder`. */
  static start(folder: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): ChatProcess {
    return new ChatProcess(process.execPath, [main, "--data", folder, ...args], env);
  }

  /** Says all lines, and waits for the end. */
  static async talk(
    folder: string,
    lines: readonly string[],
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): Promise<Ended> {
    const chat = ChatProcess.start(folder, args, env);
    chat.type(lines.map((line) => `${line}\n`).join(""));
    return await chat.finish();
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** No more input. */
  async finish(): Promise<Ended> {
    this.#child.stdin.end();
    return await this.ended();
  }

  async ended(): Promise<Ended> {
    const [code] = await this.#closed;
    return { code: typeof code === "number" ? code : null, output: this.output, errors: this.errors };
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Closes the read end of its output. */
  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  /** Waits until this text was shown this many times. */
  async shows(text: string, times = 1): Promise<void> {
    const shown = () => `${this.output}\n${this.errors}`.split(text).length > times;
    await new Promise<void>((resolve, reject) => {
      const check = () => shown() && resolve();
      this.#checks.add(check);
      check();
      void this.#closed.then(() =>
        reject(new Error(`It ended without ${text}:\n${this.output}\n${this.errors}`)),
      );
    });
  }

  #heard({ output, errors }: { readonly output: string; readonly errors: string }): void {
    this.output += output;
    this.errors += errors;
    for (const check of this.#checks) check();
  }
}

/** Nothing of the surroundings chooses a model, a folder or colours. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const decides = /^(OPENAI_|SESSIONS_|NO_COLOR$|FORCE_COLOR$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !decides.test(name)));
}
