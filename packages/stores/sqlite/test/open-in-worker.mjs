import { openSqliteStore } from "@sessions/sqlite";

/** How another process opens the same file. */
export function open(options) {
  return openSqliteStore(JSON.parse(options));
}
