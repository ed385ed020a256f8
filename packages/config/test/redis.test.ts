import { type RedisServer, startCluster, startReplicated, startServer } from "redis-servers";
import { expect, test } from "vitest";
import { openStore, type StoreTarget } from "../src/index.js";

const PASSWORD = "s3cr3t:/@";
const USER = `app on >${PASSWORD} ~* &* +@all`;

async function written(target: StoreTarget): Promise<string> {
  await using store = await openStore(target, { env: {} });
  await store.addMessage("s", { role: "user", content: "hello" });
  expect((await store.getChatHistory("s")).map(({ content }) => content)).toEqual(["hello"]);
  return (await store.describe()).store;
}

function login({ port }: RedisServer): string {
  return `redis://app:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
}

test("a redis server is opened by URL or object, with a user, a password, a database and a prefix", async () => {
  await using server = await startServer({ users: [USER, "default off"] });
  const { port } = server;
  expect(await written(`${login(server)}/3?prefix=by-url&deadlineMs=8000`)).toBe("redis");
  expect(
    await written({
      store: "redis",
      host: "127.0.0.1",
      port,
      username: "app",
      password: PASSWORD,
      prefix: "by-object",
    }),
  ).toBe("redis");
  using asked = await server.connect();
  await asked.call("AUTH", "app", PASSWORD);
  await asked.call("SELECT", 3);
  expect(Number(await asked.call("DBSIZE")), "in the database that was named").toBeGreaterThan(0);
});

test("the primary of Sentinels and a Cluster are opened", async () => {
  await using replicated = await startReplicated();
  await using cluster = await startCluster();
  const sentinels = replicated.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
  expect(await written(`redis+sentinel://${sentinels}/${replicated.name}?replicas=1`)).toBe("redis");
  const nodes = cluster.ports.map((port) => `127.0.0.1:${port}`).join(",");
  expect(await written(`redis+cluster://${nodes}`)).toBe("redis");
});
