import { expect, test } from "vitest";
import { append } from "../src/index.js";
import { commandsDuring } from "./commands-during.js";
import { sharedServer } from "./servers.js";
import { openedStore } from "./store.js";

const server = await sharedServer();

test("the end of a turn is decided on one reading", async () => {
  await using opened = await openedStore(server);
  const { store } = opened;
  const begun = await store.beginTurn("s", { turnId: "t" });
  if (begun.status !== "begun") throw new Error("the turn has not begun");
  const answer = { id: "answer", role: "assistant", content: "x" };
  const commands = await commandsDuring(server, opened, () => begun.turn.complete([append(answer)]));
  // Watchers read too, but nothing of a turn or a message.
  const readings = commands.filter(
    ([name, ...args]) => name === "evalsha" && /^(Tt|ianswer)$/m.test(args.join("\n")),
  );
  expect(readings).toHaveLength(1);
  expect(readings[0]).toEqual(expect.arrayContaining(["Tt", "ianswer"]));
  expect(await store.beginTurn("s", { turnId: "t" })).toMatchObject({ status: "duplicate" });
});

test("who watches a session that is known and has not changed costs one plain command", async () => {
  await using opened = await openedStore(server);
  const { store, client } = opened;
  await store.addMessage("s", { role: "user", content: "x" });
  const { revision = 0 } = (await store.getSession("s")) ?? {};
  const stop = new AbortController();
  const changes: number[] = [];
  const watching = async (): Promise<void> => {
    for await (const { revision: seen } of store.watch({
      session: "s",
      since: revision,
      signal: stop.signal,
    })) {
      changes.push(seen);
      stop.abort();
    }
  };
  const commands = await commandsDuring(server, opened, async () => {
    await client.config("RESETSTAT");
    const watched = watching();
    // It has begun when it has looked.
    await expect.poll(async () => client.info("commandstats")).toContain("cmdstat_hmget");
    await store.addMessage("s", { role: "user", content: "y" });
    await watched;
  });
  expect(changes).toEqual([revision + 1]);
  expect(commands.filter(([name]) => name === "evalsha")).toHaveLength(1);
  expect(commands.filter(([name]) => name === "hmget").length).toBeGreaterThan(0);
});
