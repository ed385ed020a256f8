import { openJsonFileStore } from "@sessions/json-file";
import { openSqliteStore } from "@sessions/sqlite";

/** How each kind of store is opened, in any process. A new one joins with a line here and one in stores.ts. */
const openers = {
  "json-file": ({ root, ...options }) => openJsonFileStore({ root, durability: "relaxed", ...options }),
  sqlite: ({ root, ...options }) => openSqliteStore({ path: `${root}/sessions.db`, ...options }),
};

export const openStore = ({ kind, ...options }) => openers[kind](options);
