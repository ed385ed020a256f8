import { randomBytes } from "node:crypto";
import type { Place } from "@sessions/conformance";
import { Redis } from "ioredis";
import { Keys } from "../src/keys.js";
import { openRedisBackend, openRedisStore } from "../src/open-redis-store.js";

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:7379";

export async function redisPlace(): Promise<Place> {
  const prefix = `t${randomBytes(6).toString("hex")}`;
  const keys = new Keys(prefix);
  const options = { prefix, deadlineMs: 10_000 };
  const client = new Redis(url);
  return {
    open: () => openRedisStore({ url }, options),
    openBackend: () => openRedisBackend({ url }, options),
    corrupt: async (id) => {
      await client.hset(keys.session(id).session, "z", "spoilt");
    },
    newerFormat: async () => {
      for (const { format } of keys.shards()) await client.set(format, 99);
    },
    otherProcess: {
      module: new URL("./open-in-worker.mjs", import.meta.url).href,
      argument: JSON.stringify({ url, options }),
    },
    cleanup: async () => {
      const names = await client.keys(`${prefix}:*`);
      for (let n = 0; n < names.length; n += 500) await client.unlink(...names.slice(n, n + 500));
      client.disconnect();
    },
  };
}
