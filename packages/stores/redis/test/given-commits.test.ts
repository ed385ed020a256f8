import { once } from "node:events";
import { GIVEN_COMMITS } from "@sessions/protocol";
import { expect, test } from "vitest";
import { sharedServer } from "./servers.js";
import { type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();

const COMMITS = 700;

const add = ({ store }: OpenedStore, commitId: string): Promise<{ readonly duplicate: boolean }> =>
  store.addMessage("s", { role: "user", content: "x" }, { commitId });

/** A session that callers have named many commits of. */
async function filled(opened: OpenedStore): Promise<void> {
  await Promise.all(Array.from({ length: COMMITS }, (_, n) => add(opened, `c${n}`)));
}

async function memories({ client, keys }: OpenedStore): Promise<number> {
  return (await client.hkeys(keys.session("s").window)).filter((name) => name.startsWith("C")).length;
}

/** The most arguments of a command that the server has run, scripts included, during the work. */
async function mostArguments({ client }: OpenedStore, work: () => Promise<unknown>): Promise<number> {
  const monitor = await client.monitor();
  let most = 0;
  const end = `end-${Math.random()}`;
  const ended = new Promise<void>((resolve) => {
    monitor.on("monitor", (_time: string, args: readonly string[]) => {
      if (args.includes(end)) resolve();
      else most = Math.max(most, args.length);
    });
  });
  await work();
  await client.echo(end);
  await ended;
  monitor.disconnect();
  await once(monitor, "end");
  return most;
}

test("who names a commit does not pay for all that were named today", async () => {
  await using opened = await openedStore(server);
  await filled(opened);
  expect(await mostArguments(opened, () => add(opened, "one more"))).toBeLessThan(50);
  expect(await memories(opened)).toBe(COMMITS + 1);
});

test("commits that were named more than a day ago are forgotten, but for the last", async () => {
  await using opened = await openedStore(server);
  await filled(opened);
  const { client, keys } = opened;
  const { window } = keys.session("s");
  const then = Date.now() - GIVEN_COMMITS.ms - 1000;
  await client.hset(
    window,
    Object.fromEntries(Array.from({ length: COMMITS }, (_, n) => [`a${n}`, `${then} c${n}`])),
  );
  await add(opened, "one more");
  expect(await memories(opened)).toBe(GIVEN_COMMITS.count);
  expect(await client.hmget(window, "aa", "ah")).toEqual([`${COMMITS + 1 - GIVEN_COMMITS.count}`, `${then}`]);
  expect(await add(opened, `c${COMMITS - 1}`)).toMatchObject({ duplicate: true });
  expect(await add(opened, "one more")).toMatchObject({ duplicate: true });
});
