import { jsonFile } from "./json-file.js";
import { memory } from "./memory.js";
import { redis } from "./redis.js";
import { sqlite } from "./sqlite.js";
import type { StoreUnderTest } from "./store-under-test.js";

/** Every store that is measured. */
export const stores: readonly StoreUnderTest[] = [memory, jsonFile, sqlite, redis];

/** Finds a store by the name that a worker gets. */
export function storeNamed(name: string | undefined): StoreUnderTest {
  const store = stores.find((candidate) => candidate.name === name);
  if (store === undefined) throw new Error(`there is no store "${name}" to measure`);
  return store;
}
