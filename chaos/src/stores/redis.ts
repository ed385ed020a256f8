import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRedisStore } from "@sessions/redis";
import type { ServerOptions } from "redis-servers";
import type { ChaosStore } from "./chaos-store.js";
import { START_SERVERS } from "./server-layouts.js";

/** Shorter than the pauses of the server, so that some calls have an unknown outcome. */
const DEADLINE_MS = 1000;

const PLACE = "place.json";

/** Servers that are started with these options, each behind a proxy that breaks connections. */
export function surroundWith(serverOptions: ServerOptions): NonNullable<ChaosStore["surround"]> {
  return async (folder, layout) => {
    const { location, options, disturbances, stop } = await START_SERVERS[layout]({
      ...serverOptions,
      parent: folder,
    });
    await writeFile(join(folder, PLACE), JSON.stringify({ location, options }));
    return { disturbances, stop };
  };
}

/** The servers write every command to their disk before they reply. */
export const surround: NonNullable<ChaosStore["surround"]> = surroundWith({ aof: "always" });

export const open: ChaosStore["open"] = async (folder, clock) => {
  const { location, options } = JSON.parse(await readFile(join(folder, PLACE), "utf8"));
  return openRedisStore(location, { ...options, clock, deadlineMs: DEADLINE_MS });
};

/** The errors of a server that is down or does not reply in time. */
export const tolerates: NonNullable<ChaosStore["tolerates"]> = ["STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"];
