import type { SessionStore } from "@sessions/protocol";
import { type FaultProxy, startFaultProxy } from "redis-servers";
import { expect, onTestFinished, test } from "vitest";
import { openRedisStore } from "../src/open-redis-store.js";
import { isAwaited } from "./harness/awaited.js";
import { sharedServer } from "./servers.js";

const server = await sharedServer();

const user = (content: string) => ({ role: "user", content });

/** What an operation sends: how often it waits for the server, and how many commands that are. */
interface Sent {
  readonly roundTrips: number;
  readonly commands: number;
}

/** Counts as a round trip each command that is sent while no reply is outstanding. */
function counted(proxy: FaultProxy): () => Sent {
  let [roundTrips, commands, outstanding] = [0, 0, 0];
  proxy.plan({
    on: "request",
    act: { delayMs: 0 },
    when: ({ command }) => {
      if (!isAwaited({ command })) return false;
      if (outstanding++ === 0) roundTrips++;
      commands++;
      return false;
    },
  });
  proxy.plan({
    on: "reply",
    act: { delayMs: 0 },
    when: ({ command }) => {
      if (isAwaited({ command })) outstanding--;
      return false;
    },
  });
  return () => {
    const sent = { roundTrips, commands };
    [roundTrips, commands] = [0, 0];
    return sent;
  };
}

test("operations take as many round trips to the server as their work needs, and no more", async () => {
  await using proxy = await startFaultProxy(server.port);
  await using store: SessionStore = await openRedisStore({ url: proxy.url }, { prefix: "trips" });
  await using other = await openRedisStore({ url: server.url }, { prefix: "trips" });
  // A script's first run is sent twice: the server does not know it yet.
  for (const text of ["one", "two"]) await store.addMessage("warm", user(text));
  await store.getSession("warm");
  await store.listSessions({ limit: 50 });
  await store.runTurn("warm", { messages: [user("up")] }, async () => []);
  for (let index = 0; index < 60; index++) await other.addMessage(`listed-${index}`, user("hello"));
  await other.createSession("labelled", { labels: { agent: "a" }, messages: [user("hello")] });
  await other.addMessage("foreign", [user("one"), user("two")]);
  const sent = counted(proxy);
  const table: Record<string, Sent> = {};
  const during = async (name: string, work: () => Promise<unknown>): Promise<Sent> => {
    sent();
    await work();
    const counts = sent();
    table[name] = counts;
    return counts;
  };
  onTestFinished(() => console.table(table));

  const first = await during("first message of a session", () => store.addMessage("s", user("one")));
  const append = await during("append", () => store.addMessage("s", user("two")));
  const unseen = await during("first append to a session of another process, with a label", () =>
    store.addMessage("labelled", user("two")),
  );
  const cold = await during("read of a session of another process", () => store.getSession("foreign"));
  const unchanged = await during("read, unchanged", () => store.getSession("s"));
  const again = await during("read of another process's session, unchanged", () =>
    store.getSession("foreign"),
  );
  await other.addMessage("foreign", user("three"));
  const changed = await during("read, changed by another process", () => store.getSession("foreign"));
  const turn = await during("turn of runTurn", () =>
    store.runTurn("s", { messages: [user("question")] }, async () => []),
  );
  const label = await during("change of a label", () => store.patchSession("s", { labels: { agent: "b" } }));
  const replace = await during("setChatHistory", () => store.setChatHistory("s", [user("new")]));
  await during("forkSession", () => store.forkSession("s", { newId: "fork" }));
  const list = await during("list of 50", async () => {
    expect((await store.listSessions({ limit: 50 })).items).toHaveLength(50);
  });
  await during("list of 50 by a label", async () => {
    await store.listSessions({ labels: { agent: "a" }, limit: 50 });
  });
  const gone = await during("deleteSession", () => store.deleteSession("s"));

  for (const [name, most, { roundTrips }] of [
    ["first", 2, first],
    ["append", 1, append],
    ["unseen", 2, unseen],
    ["cold", 1, cold],
    ["unchanged", 1, unchanged],
    ["unchanged of another's", 1, again],
    ["changed", 1, changed],
    ["turn", 3, turn],
    ["label", 2, label],
    ["replace", 2, replace],
    ["list", 2, list],
    ["delete", 2, gone],
  ] as const)
    expect(roundTrips, name).toBeLessThanOrEqual(most);
});
