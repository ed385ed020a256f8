import { inspect } from "node:util";
import { SessionError, type SessionStore } from "@sessions/protocol";
import { startFaultProxy, startServer } from "redis-servers";
import { expect, test } from "vitest";
import { DEFAULT_PARTITIONS } from "../src/engine/partitions.js";
import { Keys } from "../src/keys/keys.js";
import { openRedisStore } from "../src/open-redis-store.js";
import type { RedisLocation } from "../src/options.js";

const PASSWORD = "hunter2secret";
const user = { role: "user", content: "private words" };

/** Everything that a logger could print of an error. */
function printed(error: unknown): string {
  return [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), String(error)].join("\n");
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  );
}

function expectNoSecrets(error: unknown): void {
  expect(SessionError.is(error)).toBe(true);
  for (const secret of [PASSWORD, "private words"]) expect(printed(error)).not.toContain(secret);
}

/** The same server by a URL with the password, and by options. */
function locations(port: number, password: string): readonly RedisLocation[] {
  const redis = { password, username: "default" };
  return [
    { url: `redis://default:${password}@127.0.0.1:${port}` },
    { url: `redis://127.0.0.1:${port}`, redis },
    { cluster: [{ host: "127.0.0.1", port }], clusterOptions: { redisOptions: redis } },
  ];
}

const open = (location: RedisLocation): Promise<SessionStore> =>
  openRedisStore(location, { deadlineMs: 300 });

test("a password that the server refuses is in no error", async () => {
  await using server = await startServer({ users: ["default on >other ~* &* +@all"] });
  for (const location of locations(server.port, PASSWORD)) expectNoSecrets(await failure(open(location)));
});

test("a URL that cannot be used is in no error", async () => {
  for (const url of [
    `redis://:${PASSWORD}@[bad`,
    `redis://:${PASSWORD}@host:99999999`,
    `http://:${PASSWORD}@localhost`,
    `redis://user:${PASSWORD}%@localhost`,
    `redis://:${PASSWORD}@127.0.0.1:1`,
  ])
    expectNoSecrets(await failure(open({ url })));
});

test("no error of an open store shows the password or what was written", async () => {
  await using server = await startServer({ users: [`default on >${PASSWORD} ~* &* +@all`] });
  await using proxy = await startFaultProxy(server.port);
  const [byUrl, byOptions] = locations(proxy.port, PASSWORD);
  for (const location of [byUrl, byOptions]) {
    if (location === undefined) continue;
    using admin = await server.connect();
    await admin.call("AUTH", PASSWORD);
    await using store = await open(location);
    await store.addMessage("s", user);
    // Another type, no memory, no right, no answer, no server, in turn.
    const keys = new Keys("sessions", DEFAULT_PARTITIONS);
    await admin.call("SET", keys.session("s").record, "x");
    await admin.call("SET", keys.session("t").session, "x");
    expectNoSecrets(await failure(store.getSession("t")));
    expectNoSecrets(await failure(store.updateSessionMetadata("s", { note: "private words" })));
    await admin.call("CONFIG", "SET", "maxmemory", "1");
    expectNoSecrets(await failure(store.addMessage("s", user)));
    await admin.call("CONFIG", "SET", "maxmemory", "0");
    await admin.call("ACL", "SETUSER", "default", "-evalsha", "-eval");
    expectNoSecrets(await failure(store.addMessage("u", user)));
    await admin.call("ACL", "SETUSER", "default", "+@all");
    proxy.plan({ on: "reply", act: "stall", times: 1000 });
    expectNoSecrets(await failure(store.addMessage("u", user)));
    expectNoSecrets(await failure(store.getSession("u")));
    proxy.calm();
    proxy.cutAll();
    // A password that is changed while the store is open: the next connection is refused.
    await admin.call("ACL", "SETUSER", "default", "resetpass", ">changed");
    proxy.cutAll();
    expectNoSecrets(await failure(store.getSession("u")));
    expect(inspect(await store.describe(), { depth: 20 })).not.toContain(PASSWORD);
    await admin.call("ACL", "SETUSER", "default", "resetpass", `>${PASSWORD}`);
    await admin.call("FLUSHALL");
  }
});
