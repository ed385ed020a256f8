import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRedisStore } from "@sessions/redis";
import { type ServerOptions, startFaultProxy, startServer } from "redis-servers";
import { serverStrikes } from "../nemesis/server-strikes.js";
import type { ChaosStore } from "./chaos-store.js";

/** Shorter than a server stands still, so that the run meets calls whose outcome is not known. */
const DEADLINE_MS = 1000;

const ADDRESS = "address";

/** A server, started with these options, behind a proxy that breaks connections. */
export function surroundWith(options: ServerOptions): NonNullable<ChaosStore["surround"]> {
  return async (folder) => {
    const server = await startServer({ ...options, parent: folder });
    const proxy = await startFaultProxy(server.port);
    await writeFile(join(folder, ADDRESS), proxy.url);
    return {
      strikes: serverStrikes(server, proxy),
      end: async () => {
        await proxy.stop();
        await server.kill();
      },
    };
  };
}

/** It writes every command to its disk before it answers. */
export const surround: NonNullable<ChaosStore["surround"]> = surroundWith({ aof: "always" });

export const open: ChaosStore["open"] = async (folder, clock) => {
  const url = await readFile(join(folder, ADDRESS), "utf8");
  return openRedisStore({ url }, { clock, deadlineMs: DEADLINE_MS });
};

/** A server that is down or does not answer in time. */
export const tolerates: NonNullable<ChaosStore["tolerates"]> = ["STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"];

/** A feed's cursor is a time: changes of sessions whose own times are old are skipped. */
export const noFeeds: NonNullable<ChaosStore["noFeeds"]> = "redis resumes a feed by time";
