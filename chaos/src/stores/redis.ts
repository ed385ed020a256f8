import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRedisStore } from "@sessions/redis";
import { type ServerOptions, startFaultProxy, startServer } from "redis-servers";
import { serverDisturbances } from "../nemesis/server-disturbances.js";
import type { ChaosStore } from "./chaos-store.js";

/** Shorter than the pauses of the server, so that some calls have an unknown outcome. */
const DEADLINE_MS = 1000;

const ADDRESS = "address";

/** Starts a server with these options, behind a proxy that breaks connections. */
export function surroundWith(options: ServerOptions): NonNullable<ChaosStore["surround"]> {
  return async (folder) => {
    const server = await startServer({ ...options, parent: folder });
    const proxy = await startFaultProxy(server.port);
    await writeFile(join(folder, ADDRESS), proxy.url);
    return {
      disturbances: serverDisturbances(server, proxy),
      stop: async () => {
        await proxy.stop();
        await server.kill();
      },
    };
  };
}

/** The server writes every command to its disk before it replies. */
export const surround: NonNullable<ChaosStore["surround"]> = surroundWith({ aof: "always" });

export const open: ChaosStore["open"] = async (folder, clock) => {
  const url = await readFile(join(folder, ADDRESS), "utf8");
  return openRedisStore({ url }, { clock, deadlineMs: DEADLINE_MS });
};

/** The errors of a server that is down or does not reply in time. */
export const tolerates: NonNullable<ChaosStore["tolerates"]> = ["STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"];

/** The cursor of a feed is a time, so a resumed feed skips changes of imported sessions with old times. */
export const noFeeds: NonNullable<ChaosStore["noFeeds"]> = "redis resumes a feed by time";
