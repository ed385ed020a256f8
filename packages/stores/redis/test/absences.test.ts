import { expect, test } from "vitest";
import { Absences } from "../src/absences.js";
import { openRedisStore } from "../src/open-redis-store.js";
import { sharedServer } from "./servers.js";
import { codeOf, type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();
const user = (content: string, id?: string): { role: string; content: string; id?: string } => ({
  role: "user",
  content,
  ...(id === undefined ? {} : { id }),
});

/** How many scripts the server ran meanwhile, those included that nobody waits for. */
async function scriptsOf({ client, keys }: OpenedStore, work: () => Promise<unknown>): Promise<number> {
  const { told } = keys.shardOf("s");
  const settled = async (): Promise<void> => {
    while ((await client.zcard(told)) > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  await settled();
  await client.config("RESETSTAT");
  await work();
  await settled();
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info("commandstats"))?.[1]);
}

test("who has just read that a session is not there begins it without asking again", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  await store.getChatHistory("s");
  // The index is told, the session is written, the index is told that it was.
  expect(await scriptsOf(opened, () => store.addMessage("s", user("1")))).toBe(3);
  await store.deleteSession("s");
  await using other = await openRedisStore({ url: server.url }, options);
  await other.getChatHistory("s");
  // It has left a memory, so it is looked at.
  expect(await scriptsOf(opened, () => other.addMessage("s", user("1")))).toBe(4);
});

test("whatever others have done since is seen all the same", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  await using other = await openRedisStore({ url: server.url }, options);
  const contents = async (id: string): Promise<unknown> =>
    (await store.getChatHistory(id)).map(({ content }) => content);

  expect(await contents("begun")).toEqual([]);
  await other.addMessage("begun", user("theirs"));
  expect(await store.addMessage("begun", user("ours"))).toMatchObject({ revision: 2 });
  expect(await contents("begun")).toEqual(["theirs", "ours"]);

  expect(await contents("ended")).toEqual([]);
  await other.addMessage("ended", user("theirs"));
  await other.deleteSession("ended");
  expect((await store.addMessage("ended", user("ours"))).revision).toBeGreaterThan(2);

  expect(await contents("repeated")).toEqual([]);
  await other.addMessage("repeated", user("once"), { commitId: "c" });
  expect(await store.addMessage("repeated", user("once"), { commitId: "c" })).toMatchObject({
    duplicate: true,
  });

  expect(await contents("refused")).toEqual([]);
  await other.addMessage("refused", user("theirs", "m"));
  expect(await codeOf(store.addMessage("refused", user("ours"), { ifAbsent: true }))).toBe("SESSION_EXISTS");
});

test("that it is not there is no answer: what others have begun since is not refused", async () => {
  await using opened = await openedStore(server);
  const { store, options } = opened;
  await using other = await openRedisStore({ url: server.url }, options);
  expect(await store.sessionExists("s")).toBe(false);
  await other.addMessage("s", user("theirs", "m"));
  expect(await store.updateMessage("s", "m", user("ours"))).toMatchObject({ revision: 2 });
  expect(await store.sessionExists("t")).toBe(false);
  await other.addMessage("t", user("theirs"));
  expect(await store.createSession("u").then(() => codeOf(store.createSession("t")))).toBe("SESSION_EXISTS");
});

test("what was heard counts for a second, on one connection, and once", () => {
  let [time, epoch] = [0, 1];
  const clock = { now: () => 0, monotonic: () => time, after: () => () => undefined };
  const absences = new Absences(clock, () => epoch);
  absences.note("s", 5000);
  time = 20.7;
  expect(absences.take("s")).toBe(5020);
  expect(absences.take("s")).toBeUndefined();
  absences.note("s", 6000);
  time += 1000;
  expect(absences.take("s")).toBeUndefined();
  absences.note("s", 7000);
  epoch++;
  expect(absences.take("s")).toBeUndefined();
});

test("it keeps a thousand in mind", () => {
  const clock = { now: () => 0, monotonic: () => 0, after: () => () => undefined };
  const absences = new Absences(clock, () => 1);
  for (let n = 0; n <= 1000; n++) absences.note(`${n}`, n);
  expect(absences.take("0")).toBeUndefined();
  expect(absences.take("1")).toBe(1);
  expect(absences.take("1000")).toBe(1000);
});
