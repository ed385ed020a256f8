import { startCluster, startServer } from "redis-servers";
import { expect, test } from "vitest";
import { openRedisStore } from "../../src/open-redis-store.js";

/** What the process was warned of while something ran. */
async function warnedDuring(run: () => Promise<void>): Promise<readonly string[]> {
  const warnings: string[] = [];
  const listener = ({ message }: Error): unknown => warnings.push(message);
  process.on("warning", listener);
  try {
    await run();
    await new Promise(setImmediate);
  } finally {
    process.off("warning", listener);
  }
  return warnings;
}

test("settings that can lose commits are one warning of the process, once, and none where there is a listener", async () => {
  await using server = await startServer({ config: ["maxmemory 1gb", "maxmemory-policy allkeys-lru"] });
  const open = async (options: object = {}): Promise<void> => {
    await using _ = await openRedisStore({ url: server.url }, options);
  };
  const heard: string[] = [];
  expect(await warnedDuring(() => open({ onWarning: ({ message }: Error) => heard.push(message) }))).toEqual(
    [],
  );
  expect(heard).toEqual([expect.stringContaining("appendonly"), expect.stringContaining("allkeys-lru")]);
  const warnings = await warnedDuring(async () => {
    await open();
    await open();
  });
  expect(warnings).toEqual([expect.stringMatching(/appendonly is off.*maxmemory-policy is allkeys-lru/)]);
});

test("a server that keeps what it acknowledges is no warning", async () => {
  await using server = await startServer({ aof: "always" });
  const warnings = await warnedDuring(async () => {
    await using store = await openRedisStore({ url: server.url });
    expect((await store.describe()).warnings).toEqual([]);
  });
  expect(warnings).toEqual([]);
});

test("the warning names the nodes of a Cluster", async () => {
  await using cluster = await startCluster();
  const nodes = cluster.ports.map((port) => ({ host: "127.0.0.1", port }));
  const warnings = await warnedDuring(async () => {
    await using _ = await openRedisStore({ cluster: nodes });
  });
  const [port = 0] = cluster.ports;
  expect(warnings).toEqual([
    expect.stringMatching(new RegExp(`redis cluster of .*127\\.0\\.0\\.1:${port}.*appendonly`)),
  ]);
});
