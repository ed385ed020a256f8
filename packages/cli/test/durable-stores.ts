import { createHash } from "node:crypto";
import { startServer } from "redis-servers";
import { afterAll } from "vitest";

/** A kind of store that outlives a process, and how it is named in a folder. A new one joins here. */
export interface DurableStore {
  readonly kind: string;
  /** A URL for a store of this name; the same name is the same store. */
  url(folder: string, name: string): string;
}

const server = await startServer({ aof: "everysec" });
afterAll(() => server.stop());

export const durableStores: readonly DurableStore[] = [
  { kind: "file", url: (folder, name) => `file:${folder}/${name}?durability=relaxed` },
  { kind: "sqlite", url: (folder, name) => `sqlite:${folder}/${name}.db` },
  { kind: "redis", url: (folder, name) => `${server.url}?prefix=${prefixOf(folder, name)}` },
];

function prefixOf(folder: string, name: string): string {
  return createHash("sha256").update(`${folder}/${name}`).digest("hex").slice(0, 16);
}
