import { expect, test } from "vitest";
import { partitionTags, slotOf } from "../../src/engine/partition-tags.js";
import { sharedServer } from "../servers.js";

test("the tags of partitions are spread evenly over the slots of a Cluster", () => {
  for (const count of [1, 8, 64, 100, 1024]) {
    const tags = partitionTags(count);
    expect(new Set(tags).size).toBe(count);
    for (const [partition, tag] of tags.entries()) {
      expect(slotOf(tag)).toBeGreaterThanOrEqual((partition * 16_384) / count);
      expect(slotOf(tag)).toBeLessThan(((partition + 1) * 16_384) / count);
    }
  }
});

test("the slots of tags are those that a server computes", async () => {
  const server = await sharedServer({ config: ["cluster-enabled yes"] });
  for (const tag of partitionTags(64))
    expect(await server.call("CLUSTER", "KEYSLOT", `sessions:{${tag}}:head`)).toBe(slotOf(tag));
});
