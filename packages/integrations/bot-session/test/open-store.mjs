import { openJsonFileStore } from "@sessions/json-file";
import { openRedisStore } from "@sessions/redis";
import { openSqliteStore } from "@sessions/sqlite";

/** How each kind of store is opened, in any process. A new one joins with a line here and one in stores.ts. */
const openers = {
  "json-file": ({ at, ...options }) => openJsonFileStore({ root: at, durability: "relaxed", ...options }),
  sqlite: ({ at, ...options }) => openSqliteStore({ path: `${at}/sessions.db`, ...options }),
  redis: ({ at, prefix, ...options }) => openRedisStore({ url: at }, { prefix, ...options }),
};

export const openStore = ({ kind, ...options }) => openers[kind](options);
