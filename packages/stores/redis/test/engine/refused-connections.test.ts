import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { startCluster, startServer } from "redis-servers";
import { expect, test } from "vitest";
import { asSessionError } from "../../src/error-mapping.js";
import type { RedisLocation } from "../../src/options.js";
import { connection, within } from "./engine.js";

/** Long enough that a refusal which only ends at the deadline would be noticed. */
const DEADLINE_MS = 30_000;

async function refusal(location: RedisLocation): Promise<unknown> {
  using server = connection(location);
  const call = server.query(within(DEADLINE_MS), (client) => client.get("key"));
  return await call.then(
    () => expect.unreachable("it should have been refused"),
    (error: unknown) => asSessionError(error, "redis"),
  );
}

function permanent(words: string): object {
  const message: unknown = expect.stringContaining(words);
  return { code: "STORE_UNAVAILABLE", retryable: false, message };
}

test("a database that the server does not have is refused, and nothing is done in database 0", async () => {
  await using server = await startServer();
  expect(await refusal({ url: `${server.url}/99` })).toMatchObject(permanent("no database with this number"));
  expect(await refusal({ url: server.url, redis: { db: 99 } })).toMatchObject(
    permanent("no database with this number"),
  );
  using there = connection({ url: `${server.url}/15` });
  await there.query(within(), (client) => client.set("key", "in 15"));
  expect(await server.call("GET", "key")).toBe(null);
});

test("a server that has fewer databases after a restart is refused, and database 0 is not used instead", async () => {
  await using server = await startServer();
  using there = connection({ url: `${server.url}/15` });
  await there.query(within(), (client) => client.set("key", "in 15"));
  await appendFile(join(server.folder, "server.conf"), "\ndatabases 4\n");
  await server.kill();
  await server.restart();
  await expect(there.query(within(DEADLINE_MS), (client) => client.set("key", "x"))).rejects.toThrow(
    "out of range",
  );
});

test("a URL whose path is no database number is refused before anything is asked", async () => {
  for (const path of ["x", "2/x", "-1", "1.5"])
    expect(() => connection({ url: `redis://127.0.0.1:1/${path}` })).toThrow("options.url cannot be read");
});

test("a missing or wrong password is refused at once and says where to give it", async () => {
  await using server = await startServer({ users: ["default on >secret ~* &* +@all"] });
  for (const [userInfo, words] of [
    ["", "asks for a password. Give a password in the URL"],
    [":wrong@", "does not accept this user or password. Give a password in the URL"],
    ["nobody:secret@", "does not accept this user or password"],
  ])
    expect(await refusal({ url: server.url.replace("//", `//${userInfo}`) })).toMatchObject(
      permanent(words ?? ""),
    );
  using allowed = connection({ url: server.url, redis: { password: "secret" } });
  expect(await allowed.query(within(), (client) => client.ping())).toBe("PONG");
});

test("a node of a Cluster that is opened as a single server is refused, and so is the reverse", async () => {
  await using cluster = await startCluster();
  await using single = await startServer();
  const [port = 0] = cluster.ports;
  const ofSlotElsewhere = "foo";
  expect(await cluster.nodes[0]?.call("CLUSTER", "KEYSLOT", ofSlotElsewhere)).toBe(12_182);
  const node = { host: "127.0.0.1", port };
  using asSingle = connection({ url: `redis://127.0.0.1:${port}` });
  await expect(
    asSingle.query(within(DEADLINE_MS), (client) => client.get(ofSlotElsewhere)),
  ).rejects.toMatchObject(permanent("node of a Cluster"));
  expect(await refusal({ url: `redis://127.0.0.1:${port}/3` })).toMatchObject(permanent("database 0"));
  expect(await refusal({ cluster: [{ host: "127.0.0.1", port: single.port }] })).toMatchObject(
    permanent("not part of a Cluster"),
  );
  for (const each of cluster.nodes) await each.call("CONFIG", "SET", "requirepass", "secret");
  expect(await refusal({ cluster: [node] })).toMatchObject(permanent("asks for a password"));
  using allowed = connection({ cluster: [node], clusterOptions: { redisOptions: { password: "secret" } } });
  expect(await allowed.query(within(), (client) => client.set("key", "x"))).toBe("OK");
});
