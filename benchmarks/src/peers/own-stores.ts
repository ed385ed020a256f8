import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import type { Conversations, Keeper } from "peers";

export const ownSqlite: Keeper = keeper("sqlite", "folder", async (folder) => {
  const { openSqliteStore } = await import("@sessions/sqlite");
  mkdirSync(folder, { recursive: true });
  return openSqliteStore({ path: join(folder, "sessions.db") });
});

export const ownRedis: Keeper = keeper("redis", "redis", async (url) => {
  const { openRedisStore } = await import("@sessions/redis");
  return openRedisStore({ url });
});

export const ownJsonFile: Keeper = keeper("json-file", "folder", async (root) => {
  const { openJsonFileStore } = await import("@sessions/json-file");
  return openJsonFileStore({ root });
});

export const ownRelaxedJsonFile: Keeper = keeper("relaxed json-file", "folder", async (root) => {
  const { openJsonFileStore } = await import("@sessions/json-file");
  return openJsonFileStore({ root, durability: "relaxed" });
});

/** A store of this repository as a keeper of conversations. */
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
