import { openJsonFileStore } from "@sessions/json-file";
import type { SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import type { Conversations, Keeper } from "peers";
import { sqlite } from "../stores/sqlite.js";

export const ownSqlite: Keeper = keeper("sqlite", "folder", sqlite.open);
export const ownRedis: Keeper = keeper("redis", "redis", (url) => openRedisStore({ url }));
export const ownJsonFile: Keeper = keeper("json-file", "folder", (root) => openJsonFileStore({ root }));
export const ownRelaxedJsonFile: Keeper = keeper("relaxed json-file", "folder", (root) =>
  openJsonFileStore({ root, durability: "relaxed" }),
);

/** A store of ours as one that keeps conversations. */
function keeper(
  name: string,
  engine: Keeper["engine"],
  open: (where: string) => Promise<SessionStore>,
): Keeper {
  return { name, engine, open: async (where) => conversations(await open(where)) };
}

function conversations(store: SessionStore): Conversations {
  return {
    async turn(id, { question, answer }, writes) {
      const before = await store.getChatHistory(id);
      if (writes === "each message") {
        await store.addMessage(id, question);
        await store.addMessage(id, answer);
      } else {
        await store.addMessage(id, [question, answer]);
      }
      return before.length;
    },
    async add(id, messages) {
      await store.addMessage(id, messages);
    },
    ids: async (id) => (await store.getChatHistory(id)).map((message) => message.id),
    [Symbol.asyncDispose]: () => store.close(),
  };
}
