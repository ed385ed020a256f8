import { startCluster } from "redis-servers";
import { expect, test } from "vitest";
import { slotOf } from "../../src/engine/partition-tags.js";
import { DEFAULT_PARTITIONS } from "../../src/engine/partitions.js";
import { Keys } from "../../src/keys/keys.js";
import { openRedisStore } from "../../src/open-redis-store.js";

const user = (content: string): { role: string; content: string } => ({ role: "user", content });

test("while a partition is between two nodes its calls wait and then are STORE_BUSY; others go on, and nothing is lost", async () => {
  await using cluster = await startCluster();
  const location = { cluster: cluster.ports.map((port) => ({ host: "127.0.0.1", port })) };
  const options = { deadlineMs: 3000, onWarning: () => undefined };
  await using store = await openRedisStore(location, options);
  const keys = new Keys("sessions", DEFAULT_PARTITIONS);
  const ids = Array.from({ length: 400 }, (_, n) => `s${n}`);
  const partition = keys.partitionOf("s0");
  const elsewhere = ids.find((id) => keys.partitionOf(id) !== partition) ?? "";
  for (const id of ["s0", elsewhere]) await store.addMessage(id, user("1"));

  const slot = slotOf(partition.head);
  const from = await cluster.ownerOf(slot);
  const to = cluster.nodes.slice(0, 3).find((node) => node !== from);
  if (to === undefined) throw new Error("a cluster has several primaries");
  const move = await cluster.beginMove(slot, to);
  expect(await cluster.moveKeys(move, 2)).toBe(2);
  const error: unknown = await store.addMessage("s0", user("2")).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "STORE_BUSY", waitedMs: expect.any(Number) });
  await store.addMessage(elsewhere, user("2"));
  const { healthy, warnings } = await store.describe();
  expect(healthy).toBe(false);
  expect(warnings).toContainEqual(expect.stringContaining(`Partition ${partition.tag} is in slot ${slot}`));

  const waiting = store.addMessage("s0", user("3"));
  await cluster.finishMove(move);
  await waiting;
  expect((await store.getChatHistory("s0")).map(({ content }) => content)).toEqual(["1", "3"]);
  await expect.poll(async () => (await store.describe()).healthy).toBe(true);
});
