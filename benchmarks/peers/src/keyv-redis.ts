import { documents } from "./documents.js";
import type { ChatMessage, Peer } from "./keeper.js";
import { versionOf } from "./version-of.js";

/** Values in Redis under keys of one's own. */
export const keyvRedis: Peer = {
  name: `Keyv ${versionOf("keyv")} on @keyv/redis ${versionOf("@keyv/redis")}`,
  engine: "redis",
  writes: "each message",
  async open(url) {
    const { createKeyv } = await import("@keyv/redis");
    // By default a write that fails looks like one that did not.
    const keyv = createKeyv(url, { throwOnErrors: true });
    return documents({
      read: (id) => keyv.get<readonly ChatMessage[]>(id),
      write: (id, messages) => keyv.set(id, messages),
      [Symbol.asyncDispose]: () => keyv.disconnect(),
    });
  },
};
