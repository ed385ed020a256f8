import { SessionError } from "@sessions/protocol";
import { expect, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import type { RedisStoreOptions } from "../src/options.js";

/** Nobody answers there: what is refused is refused before anything is asked. */
const NOWHERE = { url: "redis://127.0.0.1:1" };

test.each<[keyof RedisStoreOptions, RedisStoreOptions]>([
  ["deadlineMs", { deadlineMs: 0 }],
  ["deadlineMs", { deadlineMs: Number.NaN }],
  ["deadlineMs", { deadlineMs: Number.POSITIVE_INFINITY }],
  ["replicas", { replicas: -1 }],
  ["replicas", { replicas: 1.5 }],
  ["cacheBytes", { cacheBytes: -1 }],
  ["partitions", { partitions: 0 }],
  ["partitions", { partitions: 2000 }],
  ["prefix", { prefix: "" }],
  ["prefix", { prefix: "a{b}" }],
])("an option that means nothing is refused by its name: %s, %o", async (name, options) => {
  const error = await openRedisStore(NOWHERE, options).catch((reason: unknown) => reason);
  expect(SessionError.is(error, "INVALID_ARGUMENT") && error.path).toBe(`options.${name}`);
});
