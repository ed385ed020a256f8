import { createHash } from "node:crypto";
import { type RedisServer, startServer } from "redis-servers";
import type { Measurement } from "../measurement.js";

/** When a server has on its disk what it has answered: before it answers, or within about a second. */
export type Fsync = "always" | "everysec";

/** Workers are other processes: they find the server here. */
const URL_VARIABLE = "SESSIONS_BENCHMARK_REDIS_URL";

let current: RedisServer | undefined;

/** The same measurement, on a server that is started for it with an append-only file in its folder. */
export function onServer(fsync: Fsync, measurement: Measurement): Measurement {
  return {
    ...measurement,
    async measure(bench) {
      await using server = await startServer({ aof: fsync, parent: bench.folder });
      process.env[URL_VARIABLE] = server.url;
      current = server;
      try {
        return await measurement.measure(bench);
      } finally {
        current = undefined;
        delete process.env[URL_VARIABLE];
      }
    },
  };
}

export function serverUrl(): string {
  const url = process.env[URL_VARIABLE];
  if (url === undefined) throw new Error("this measurement has no server: wrap it in `onServer`");
  return url;
}

/** The server itself, to ask it how much it has written. Not in workers. */
export function runningServer(): RedisServer {
  if (current === undefined) throw new Error("this measurement has no server: wrap it in `onServer`");
  return current;
}

/** How much a server has taken in. */
export interface Bytes {
  /** To its append-only file. */
  readonly written: number;
  readonly received: number;
}

export async function bytesNow(): Promise<Bytes> {
  const about = String(await runningServer().call("INFO", "everything"));
  const numberIn = (field: string): number => Number(new RegExp(`^${field}:(\\d+)`, "m").exec(about)?.[1]);
  return { written: numberIn("aof_current_size"), received: numberIn("total_net_input_bytes") };
}

/** A folder stands for data of its own, as on the other stores. */
export function prefixOf(folder: string): string {
  return `bench-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
}
