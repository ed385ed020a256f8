import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRedisStore } from "@sessions/redis";
import type { ServerOptions } from "redis-servers";
import type { ChaosStore } from "./chaos-store.js";
import { START_SERVERS } from "./server-layouts.js";

/** Shorter than a server stands still, so that the run meets calls whose outcome is not known. */
const DEADLINE_MS = 1000;

const PLACE = "place.json";

/** Servers that are started with these options, each behind a proxy that breaks connections. */
export function surroundWith(serverOptions: ServerOptions): NonNullable<ChaosStore["surround"]> {
  return async (folder, layout) => {
    const { location, options, strikes, end } = await START_SERVERS[layout]({
      ...serverOptions,
      parent: folder,
    });
    await writeFile(join(folder, PLACE), JSON.stringify({ location, options }));
    return { strikes, end };
  };
}

/** They write every command to their disk before they answer. */
export const surround: NonNullable<ChaosStore["surround"]> = surroundWith({ aof: "always" });

export const open: ChaosStore["open"] = async (folder, clock) => {
  const { location, options } = JSON.parse(await readFile(join(folder, PLACE), "utf8"));
  return openRedisStore(location, { ...options, clock, deadlineMs: DEADLINE_MS });
};

/** A server that is down or does not answer in time. */
export const tolerates: NonNullable<ChaosStore["tolerates"]> = ["STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"];
