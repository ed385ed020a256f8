import { expect, test } from "vitest";
import { checkIndex, labelCounts, openRedisBackend, repairIndex, sessionIds } from "../src/maintenance.js";
import { openRedisStore } from "../src/open-redis-store.js";

type Loose = (location: unknown, options?: unknown) => Promise<unknown>;

/** Nobody answers there: what is refused is refused before anything is asked. */
const NOWHERE = { url: "redis://127.0.0.1:1" };

const firstId: Loose = async (location, options) =>
  (sessionIds as (location: unknown, options: unknown) => AsyncGenerator<string>)(location, options).next();

test.each<[string, Loose]>([
  ["openRedisStore", openRedisStore as Loose],
  ["openRedisBackend", openRedisBackend as Loose],
  ["checkIndex", checkIndex as Loose],
  ["repairIndex", repairIndex as Loose],
  ["labelCounts", labelCounts as Loose],
  ["sessionIds", firstId],
])("%s rejects what is no location and no options object", async (_, call) => {
  for (const location of [
    null,
    undefined,
    5,
    "redis://x",
    [],
    {},
    { ulr: "redis://x" },
    { url: 5 },
    { client: {} },
  ])
    await expect(call(location), JSON.stringify(location)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  for (const options of [null, 5, "x", [], { prefx: "a" }, { replicas: "no" }])
    await expect(call(NOWHERE, options), JSON.stringify(options)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
});

test("a URL instead of a location is refused with what to write, and is not repeated", async () => {
  await expect((openRedisStore as Loose)("redis://user:secret@127.0.0.1:1")).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    path: "location",
    message: 'location must be a plain object, not a string. Write { url: "redis://…" }.',
  });
});
