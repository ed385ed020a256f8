import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findServer } from "./find-server.js";
import { ReservedPort } from "./reserved-port.js";
import { Connection } from "./resp/connection.js";
import type { Reply } from "./resp/reply.js";
import { TetheredProcess } from "./tethered-process.js";

const READY = /Ready to accept connections|Sentinel ID is/;
const CONFIGURATION = "server.conf";
const PORT_TAKEN = /Address already in use|Failed listening on port/;

/** What one process is started with: given its port and its folder, the lines of its configuration. */
export interface ServerPlan {
  readonly configure: (port: number, folder: string) => readonly string[];
  readonly sentinel?: boolean;
  /** Where its folder is made. */
  readonly parent?: string;
  /** Further files in its folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The certificate to trust when it is asked something. */
  readonly ca?: string;
}

/**
 * A redis-server process with a port and a folder of its own. It can be killed and started again on the same data. It
 * does not outlive this process, and `await using` ends it with its scope.
 */
export class RedisServer implements AsyncDisposable {
  readonly folder: string;
  readonly #port: ReservedPort;
  readonly #plan: ServerPlan;
  #process: TetheredProcess;
  #connection: Connection | undefined;

  private constructor(port: ReservedPort, folder: string, plan: ServerPlan, running: TetheredProcess) {
    this.#port = port;
    this.folder = folder;
    this.#plan = plan;
    this.#process = running;
  }

  /** Starts one on a port that is free, and waits until it takes connections. */
  static async start(plan: ServerPlan): Promise<RedisServer> {
    for (;;) {
      const port = await ReservedPort.take();
      const folder = await mkdtemp(join(plan.parent ?? tmpdir(), "sessions-redis-"));
      try {
        await prepare(plan, port.number, folder);
        return new RedisServer(port, folder, plan, await launch(plan, folder));
      } catch (error) {
        port.release();
        await rm(folder, { recursive: true, force: true });
        // Some other program has the port: it is left alone, and another port is tried.
        if (!(error instanceof Error && PORT_TAKEN.test(error.message))) throw error;
      }
    }
  }

  get port(): number {
    return this.#port.number;
  }

  get url(): string {
    return `${this.#plan.ca === undefined ? "redis" : "rediss"}://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** The end of its log. */
  get printed(): string {
    return this.#process.printed;
  }

  /** Asks the server something, on a connection of the tests' own. */
  async call(...args: readonly (string | number)[]): Promise<Reply> {
    if (this.#connection?.open !== true) this.#connection = await this.connect();
    return this.#connection.call(...args);
  }

  /** A further connection: for another user, or for a command that waits. */
  async connect(): Promise<Connection> {
    const { ca } = this.#plan;
    return Connection.open({ port: this.port, ...(ca === undefined ? {} : { ca }) });
  }

  /** kill -9. The folder stays as it is. */
  async kill(): Promise<void> {
    this.#connection?.[Symbol.dispose]();
    await this.#process.kill();
  }

  /** Starts it again after a `kill`, on the same port and folder. */
  async restart(): Promise<void> {
    this.#process = await launch(this.#plan, this.folder);
  }

  /** Stands still (SIGSTOP): connections stay open and nothing is answered. */
  pause(): void {
    this.#process.signal("SIGSTOP");
  }

  resume(): void {
    this.#process.signal("SIGCONT");
  }

  /** Ends it for good, and removes its folder. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
    this.#port.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Once: what a server writes into its own configuration is there after a restart. */
async function prepare(plan: ServerPlan, port: number, folder: string): Promise<void> {
  const lines = ["daemonize no", `dir ${folder}`, ...plan.configure(port, folder)];
  await writeFile(join(folder, CONFIGURATION), lines.map((line) => `${line}\n`).join(""));
  for (const [name, content] of Object.entries(plan.files ?? {}))
    await writeFile(join(folder, name), content);
}

async function launch(plan: ServerPlan, folder: string): Promise<TetheredProcess> {
  const command = [findServer(), join(folder, CONFIGURATION), ...(plan.sentinel ? ["--sentinel"] : [])];
  const launched = await TetheredProcess.start(command, folder);
  await launched.line(READY);
  return launched;
}
