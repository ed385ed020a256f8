import { openJsonFileStore } from "@sessions/json-file";
import { openSqliteStore } from "@sessions/sqlite";

/** Opens a store of a kind that several processes can share, by its name and its path. A new kind joins here. */
const kinds = {
  "json-file": (root) => openJsonFileStore({ root, durability: "relaxed" }),
  sqlite: (root) => openSqliteStore({ path: `${root}/sessions.db` }),
};

export const sharedKinds = Object.keys(kinds);

/** @param {{ kind: string, root: string }} place */
export function openStore({ kind, root }) {
  return kinds[kind](root);
}
