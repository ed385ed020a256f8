import { createServer, type Server } from "node:net";

/** Below the ports that systems give to outgoing connections. Cluster nodes also take the port 10 000 above their own. */
const FIRST = 11_000;
const COUNT = 10_000;

/**
 * A port that no other process of these tests takes while this one is alive: also not between the death of a server and
 * its next start. The hold is a listening name that the system takes back with the process, so that a kill -9 leaves
 * nothing stale. Where there are no such names, or some other program has the port, the server that is started there
 * says so and another port is tried.
 */
export class ReservedPort {
  readonly number: number;
  readonly #hold: Server | undefined;

  private constructor(number: number, hold: Server | undefined) {
    this.number = number;
    this.#hold = hold;
  }

  static async take(): Promise<ReservedPort> {
    for (;;) {
      const number = FIRST + Math.floor(Math.random() * COUNT);
      if (process.platform !== "linux") return new ReservedPort(number, undefined);
      const hold = await listen(`\0sessions-redis-servers-${number}`);
      if (hold !== undefined) return new ReservedPort(number, hold);
    }
  }

  release(): void {
    this.#hold?.close();
  }
}

function listen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) =>
      "code" in error && error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(name, () => resolve(server.unref()));
  });
}
