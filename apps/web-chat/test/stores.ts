import { basename } from "node:path";
import { startServer } from "redis-servers";
import { afterAll } from "vitest";

/** A store, in the form of SESSIONS_STORE. */
export interface StoreKind {
  readonly kind: string;
  readonly url: (folder: string) => string;
}

/** The stores that several server processes can share. Starts a redis-server for the tests of a file. */
export async function sharedStores(): Promise<readonly StoreKind[]> {
  const redis = await startServer();
  afterAll(() => redis.stop());
  return [
    { kind: "file", url: (folder) => `file:${folder}/chats` },
    { kind: "sqlite", url: (folder) => `sqlite:${folder}/chats.db` },
    { kind: "redis", url: (folder) => `${redis.url}?prefix=${basename(folder)}` },
  ];
}
