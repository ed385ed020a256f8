import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { SessionsPlace } from "./sessions-place.js";

/** A worker process. */
export class WorkerProcess {
  /** The number of deliveries that it is answering. */
  inFlight = 0;
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess, port: number, ended: Promise<unknown>) {
    this.#child = child;
    this.#port = port;
    this.#ended = ended;
  }

  /** Starts a worker with this program. Resolves when it serves. */
  static async start(program: URL, place: SessionsPlace): Promise<WorkerProcess> {
    const child = fork(program, [place.platform], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Not as an argument, because a URL may contain a password and every user of the machine can read arguments.
      env: { ...process.env, SESSIONS_STORE: place.store },
    });
    const ended = once(child, "close");
    const served = new Promise<unknown>((resolve) => {
      child.once("message", (message: { readonly port?: unknown }) => resolve(message.port));
    });
    const port = await Promise.race([served, ended]);
    if (typeof port !== "number")
      throw new Error("A worker ended before it could serve. Its complaint is above.");
    return new WorkerProcess(child, port, ended);
  }

  /** Passes a delivery to the worker. Rejects if the worker ends before it answers. */
  async deliver(body: string): Promise<Response> {
    this.inFlight++;
    try {
      const response = await fetch(`http://127.0.0.1:${this.#port}/`, { method: "POST", body });
      return new Response(await response.text(), { status: response.status });
    } finally {
      this.inFlight--;
    }
  }

  /** Kills the worker. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
