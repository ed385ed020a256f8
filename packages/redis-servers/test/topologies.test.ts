import { describe, expect, test } from "vitest";
import { startCluster, startReplicated } from "../src/index.js";

describe("a primary with a replica and Sentinels", () => {
  test("goes on with the replica after a kill -9 of the primary", async () => {
    await using servers = await startReplicated();
    const { primary, replica } = servers;
    await primary.call("SET", "k", "v");
    expect(await primary.call("WAIT", 1, 5000)).toBe(1);
    await primary.kill();
    await servers.promoted();
    expect(await replica.call("GET", "k")).toBe("v");
    expect(await replica.call("SET", "k", "w")).toBe("OK");
  });
});

describe("a cluster", () => {
  test("moves a slot in steps, and goes on after a kill -9 of a primary", async () => {
    await using cluster = await startCluster();
    const slot = await cluster.slotOf("{a}1");
    const owner = await cluster.ownerOf(slot);
    for (let index = 0; index < 30; index++) await owner.call("SET", `{a}${index}`, index);
    const to = cluster.nodes.find((node, index) => index < 3 && node !== owner);
    if (to === undefined) throw new Error("there are three primaries");
    const move = await cluster.beginMove(slot, to);
    expect(await cluster.moveKeys(move, 10)).toBe(10);
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => owner.call("GET", `{a}${index}`)),
    );
    const sentOn = answers.filter((one) => one.status === "rejected" && one.reason.code === "ASK");
    expect(sentOn).toHaveLength(10);
    await cluster.finishMove(move);
    expect(await to.call("GET", "{a}7")).toBe("7");
    await expect(owner.call("GET", "{a}7")).rejects.toMatchObject({ code: "MOVED" });

    const replica = cluster.nodes[cluster.nodes.indexOf(to) + 3];
    if (replica === undefined) throw new Error("each primary has a replica");
    expect(await to.call("WAIT", 1, 5000)).toBe(1);
    await to.kill();
    await expect
      .poll(async () => (await cluster.ownerOf(slot, replica)).port, { timeout: 30_000 })
      .toBe(replica.port);
    expect(await replica.call("GET", "{a}7")).toBe("7");
  });
});
