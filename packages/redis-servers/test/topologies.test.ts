import { describe, expect, test } from "vitest";
import { Connection, startCluster, startNodeProxies, startReplicated } from "../src/index.js";

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

  test("fails over on demand while the primary is alive, again and again, and every node follows the new primary", async () => {
    await using servers = await startReplicated({ replicas: 2, failoverTimeoutMs: 1500 });
    const { primary, nodes } = servers;
    await primary.call("SET", "k", "v");
    expect(await primary.call("WAIT", 2, 5000)).toBe(2);
    const second = await servers.failover();
    expect(second).not.toBe(primary);
    expect(await servers.settled()).toBe(second);
    expect(await second.call("SET", "k", "w")).toBe("OK");
    expect(await second.call("WAIT", 2, 5000)).toBe(2);
    const third = await servers.failover();
    expect(third).not.toBe(second);
    await servers.settled();
    for (const node of nodes) expect(await node.call("GET", "k")).toBe("w");
  });
});

describe("proxies before the nodes", () => {
  test("give each node an address of its own, and break the connections to one alone", async () => {
    await using servers = await startReplicated();
    await using proxies = await startNodeProxies(servers.nodes);
    const address = ({ port }: { readonly port: number }) => proxies.natMap[`127.0.0.1:${port}`]?.port ?? 0;
    using toPrimary = await Connection.open({ port: address(servers.primary) });
    using toReplica = await Connection.open({ port: address(servers.replica) });
    expect(await toPrimary.call("SET", "k", "v")).toBe("OK");
    proxies.before(servers.primary).plan({ on: "reply", act: "cut" });
    await expect(toPrimary.call("PING")).rejects.toThrow();
    expect(await toReplica.call("PING")).toBe("PONG");
    expect(proxies.ports).toHaveLength(2);
  });
});

describe("a cluster", () => {
  test("hands the slots of a primary to its replica on demand, and is whole afterwards", async () => {
    await using cluster = await startCluster();
    const [first] = await cluster.primaries();
    const replica = cluster.nodes[3];
    if (first === undefined || replica === undefined)
      throw new Error("there are three primaries with replicas");
    expect(first).toBe(cluster.nodes[0]);
    await cluster.failover(replica);
    await cluster.settled();
    expect(await cluster.primaries(cluster.nodes[1])).toContain(replica);
    expect(await cluster.primaries(cluster.nodes[1])).not.toContain(first);
  });

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
