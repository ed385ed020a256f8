import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../main.js", import.meta.url));

const WORD_MS = 25;
const DEADLINE_MS = 30_000;

/** What a chat process writes. */
interface Listener {
  /** A part of an answer. */
  readonly say: (piece: string) => void;
  /** A line about answers. */
  readonly remark: (line: string) => void;
}

/** How a process ended: its exit code or its signal. */
type Ending = number | NodeJS.Signals;

/** The chat in a process of its own, as `npm start` runs it, with pipes and on the built-in model. */
export class ChatChild {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<Ending>;
  #heard = "";
  #check: () => void = () => undefined;

  /** The conversations are kept in the folder. */
  constructor(folder: string, listener: Listener) {
    this.#child = spawn(process.execPath, [MAIN, "--data", ".sessions/chat", "--delay", String(WORD_MS)], {
      cwd: folder,
      env: withoutSettings(process.env),
    });
    this.#closed = closing(this.#child);
    // A chat that has ended takes no more input. How it ended is what its user is told.
    this.#child.stdin.on("error", () => undefined);
    this.#child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      listener.say(piece);
      this.#hear(piece);
    });
    createInterface({ input: this.#child.stderr }).on("line", (line) => {
      listener.remark(line);
      this.#hear(`${line}\n`);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  type(line: string): void {
    this.#heard = "";
    this.#child.stdin.write(`${line}\n`);
  }

  /** Waits until the chat has written this since the last line that was typed. */
  async wrote(text: string, signal: AbortSignal): Promise<void> {
    const written = new Promise<"written">((resolve) => {
      this.#check = () => this.#heard.includes(text) && resolve("written");
      this.#check();
    });
    const late = pause(DEADLINE_MS, "late", { ref: false, signal });
    const first = await Promise.race([written, this.#closed, late]);
    if (first === "late") throw new Error(`The chat did not write "${text.trim()}" in ${DEADLINE_MS} ms.`);
    if (first !== "written") throw new Error(`The chat ended (${first}) before it wrote "${text.trim()}".`);
  }

  /** Kills the process without a warning. Returns all that it has written since the last line that was typed. */
  async kill(): Promise<string> {
    this.#child.kill("SIGKILL");
    await this.ended("SIGKILL");
    return this.#heard;
  }

  /** Waits for the end, so that nothing is written any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  async ended(expected: Ending): Promise<void> {
    const ending = await this.#closed;
    if (ending !== expected) throw new Error(`The chat ended with ${ending}, not with ${expected}.`);
  }

  #hear(text: string): void {
    this.#heard += text;
    this.#check();
  }
}

/** Waits for the end of the process and of its output. */
async function closing(child: ChildProcessWithoutNullStreams): Promise<Ending> {
  await once(child, "close");
  return child.exitCode ?? child.signalCode ?? -1;
}

/** The demo shows the same for everybody: nothing of the surroundings chooses a model or a store. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(OPENAI|SESSIONS)_/.test(name)));
