import { GIVEN_COMMIT_RETENTION } from "@sessions/protocol/backend";
import { expect, test } from "vitest";
import { commandsDuring } from "./commands-during.js";
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
  return (await client.hkeys(keys.session("s").record)).filter((name) => name.startsWith("C")).length;
}

test("who names a commit does not pay for all that were named today", async () => {
  await using opened = await openedStore(server);
  await filled(opened);
  const commands = await commandsDuring(server, opened, () => add(opened, "one more"));
  expect(Math.max(...commands.map(({ length }) => length))).toBeLessThan(50);
  expect(await memories(opened)).toBe(COMMITS + 1);
});

test("commits that were named more than a day ago are forgotten, but for the last", async () => {
  await using opened = await openedStore(server);
  await filled(opened);
  const { client, keys } = opened;
  const { record } = keys.session("s");
  const then = Date.now() - GIVEN_COMMIT_RETENTION.ms - 1000;
  await client.hset(
    record,
    Object.fromEntries(Array.from({ length: COMMITS }, (_, n) => [`c${n}`, `${then} c${n}`])),
  );
  await add(opened, "one more");
  expect(await memories(opened)).toBe(GIVEN_COMMIT_RETENTION.count);
  expect(await client.hmget(record, "c.first", "c.horizon")).toEqual([
    `${COMMITS + 1 - GIVEN_COMMIT_RETENTION.count}`,
    `${then}`,
  ]);
  expect(await add(opened, `c${COMMITS - 1}`)).toMatchObject({ duplicate: true });
  expect(await add(opened, "one more")).toMatchObject({ duplicate: true });
});
