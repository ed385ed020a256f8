import { append, set, systemClock } from "@sessions/protocol";
import { expect, onTestFinished, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();

const user = (content: string) => ({ role: "user", content });

test("commits in a row bear the server's time, however long ago the session was read", async () => {
  await using opened = await openedStore(server);
  const { store, client, keys } = opened;
  const askedAt = performance.now();
  await store.createSession("s");
  // As far as this store can know the server's time: the session was read within the first call.
  const tolerance = performance.now() - askedAt + 1;
  for (const write of [
    () => store.commit("s", set({ title: "1" })),
    () => store.commit("s", set({ title: "2" })),
    () => store.commit("s", set({ title: "3" })),
    () => store.addMessage("s", user("appended")),
    () => store.commit("s", set({ title: "4" })),
  ]) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await write();
    const updated = Number(await client.hget(keys.session("s").record, "updated"));
    expect(updated).toBeLessThanOrEqual(Date.now() + tolerance);
  }
});

test("a session is not begun anew before it has ended by the server's clock, whatever the time is by the store's", async () => {
  let aheadMs = 0;
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + aheadMs };
  const store = await openRedisStore({ url: server.url }, { prefix: "early", clock });
  onTestFinished(() => store.close());
  for (let round = 1; ; round++) {
    const id = `s${round}`;
    const expiresAt = Date.now() + 700;
    await store.createSession(id, { expiresAt, messages: [user("kept")] });
    aheadMs += 800;
    await store.commit(id, [set({ title: "later" }), append(user("added"))]);
    const session = await store.getSession(id);
    if (Date.now() >= expiresAt && round < 20) continue; // a busy machine: it has ended indeed
    expect(session?.messages.map(({ content }) => content)).toEqual(["kept", "added"]);
    return;
  }
});
