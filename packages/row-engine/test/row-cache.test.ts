import type { Message } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { RowCache } from "../src/index.js";

const stored = (id: string, more: Partial<Message> = {}) => ({
  message: { id, role: "user", createdAt: 1, ...more },
  revision: 1,
});

test("the group that was used longest ago is evicted when there are too many bytes", () => {
  const cache = new RowCache<string>(25);
  for (const group of ["a", "b"]) cache.put(group, 0, stored(group), 10);
  cache.put("a", 1, stored("a1"), 1);
  cache.put("c", 0, stored("c"), 10);
  expect(cache.get("b", 0)).toBeUndefined();
  expect(cache.get("a", 1)?.message.id).toBe("a1");
  expect(cache.get("c", 0)?.message.id).toBe("c");
});

test("nothing is evicted while the cache is pinned", () => {
  const cache = new RowCache<string>(5);
  const unpin = cache.pin();
  for (const group of ["a", "b"]) cache.put(group, 0, stored(group), 10);
  expect(cache.get("a", 0)).toBeDefined();
  unpin();
  expect(cache.get("a", 0)).toBeUndefined();
  expect(cache.get("b", 0)).toBeUndefined();
});

test("the row of a message is known by the object, and not by its content", () => {
  const cache = new RowCache<string>(100);
  const one = stored("m");
  cache.put("a", 7, one, 1);
  expect(cache.rowOf(one.message)).toEqual({ row: 7, revision: 1 });
  expect(cache.rowOf({ ...one.message })).toBeUndefined();
});

test("a draft is not cached: its row may change", () => {
  const cache = new RowCache<string>(100);
  cache.put("a", 0, stored("d", { status: "partial" }), 1);
  expect(cache.get("a", 0)).toBeUndefined();
});
