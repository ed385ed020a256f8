import { openJsonFileStore } from "@sessions/json-file";
import type { SessionStore, StoreOptions } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { openSqliteStore } from "@sessions/sqlite";

/** The place of a store as plain data, which can be sent to another process. */
export type StorePlace =
  | { readonly kind: "json-file"; readonly root: string }
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "redis"; readonly url: string; readonly prefix: string };

/** Opens a store, in any process. */
export function openStore(place: StorePlace, options: StoreOptions = {}): Promise<SessionStore> {
  switch (place.kind) {
    case "json-file":
      return openJsonFileStore({ root: place.root, durability: "relaxed", ...options });
    case "sqlite":
      return openSqliteStore({ path: place.path, ...options });
    case "redis":
      return openRedisStore({ url: place.url }, { prefix: place.prefix, ...options });
  }
}
