import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** How the server is started. */
export interface ChatServerOptions {
  readonly port?: number;
  /** The pause between two words. */
  readonly delayMs?: number;
  readonly args?: readonly string[];
}

/** The server in another process, started as users do. */
export class ChatServer {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** `store` has the form of SESSIONS_STORE. Resolves when the page can be opened. */
  static async start(
    store: string,
    { port = 0, delayMs = 10, args: more = [] }: ChatServerOptions = {},
  ): Promise<ChatServer> {
    const args = [MAIN, "--port", String(port), "--delay", String(delayMs), ...more];
    const env = { ...process.env, SESSIONS_STORE: store };
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url !== undefined) return new ChatServer(child, url);
    }
    throw new Error("The server did not start.");
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await closed;
  }
}
