import { documents } from "./documents.js";
import type { ChatMessage, Peer } from "./keeper.js";
import { versionOf } from "./version-of.js";

/** A JSON text in Redis for each chat. */
export const grammyRedis: Peer = {
  name: `grammY's redis storage ${versionOf("@grammyjs/storage-redis")}`,
  engine: "redis",
  writes: "each turn",
  async open(url) {
    const { RedisAdapter } = await import("@grammyjs/storage-redis");
    const { Redis } = await import("ioredis");
    const instance = new Redis(url);
    const texts = new RedisAdapter<readonly ChatMessage[]>({ instance });
    return documents({
      read: (id) => texts.read(id),
      write: (id, messages) => texts.write(id, messages),
      async [Symbol.asyncDispose]() {
        await instance.quit();
      },
    });
  },
};
