import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { expectNotDurable } from "../../assertions/expect-not-durable.js";
import { behaviour } from "../../behaviour.js";
import type { Case, CaseContext, Section } from "../../case.js";
import type { Place } from "../../harness.js";
import { LIST_ORDERS } from "../../samples/list-orders.js";
import { listedIds } from "../../samples/listed-ids.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";
import { startWatching } from "../../samples/watcher.js";
import { canCorrupt } from "./no-damage.js";

/** Creates "parent" with forks "good" and "bad", and "other". All but "bad" have the label `kind: "sound"`. */
async function createSessions(store: SessionStore): Promise<void> {
  await store.createSession("parent", { labels: { kind: "sound" }, messages: numbered(2) });
  for (const newId of ["good", "bad"]) await store.forkSession("parent", { newId });
  await store.patchSession("good", { labels: { kind: "sound" } });
  await store.patchSession("bad", { labels: { kind: "bad" } });
  await store.createSession("other", { labels: { kind: "sound" } });
}

async function listed(
  store: SessionStore,
  query: Parameters<SessionStore["listSessions"]>[0],
): Promise<string[]> {
  return (await listedIds(store, { limit: 2, ...query })).toSorted();
}

/** Lists, trees, checks and searches of the sound sessions work. `bad`: the ids that lists show besides. */
async function expectReadable(store: SessionStore, bad: readonly string[]): Promise<void> {
  const sound = ["good", "other", "parent"];
  for (const order of LIST_ORDERS)
    expect(await listed(store, { order }), order).toEqual([...sound, ...bad].toSorted());
  expect(await listed(store, { labels: { kind: "sound" } })).toEqual(sound);
  const children = (await store.getChildren("parent")).map(({ id }) => id).toSorted();
  expect(children).toEqual([...bad, "good"].toSorted());
  const tree = await store.getSessionTree("parent");
  expect(tree.children.map(({ session }) => session.id).toSorted()).toEqual(children);
  for (const id of sound) expect(await store.verify(id)).toMatchObject({ ok: true });
  expect(contentsOf(await store.getChatHistory("good"))).toEqual(["1", "2"]);
  expect(await store.describe()).toMatchObject({ healthy: true });
  if (store.search !== undefined) {
    const page = await store.search({ text: "2" });
    expect([...new Set(page.items.map(({ sessionId }) => sessionId))]).toEqual(
      expect.arrayContaining(["good", "parent"]),
    );
  }
}

/** Sessions can be changed and created, and a watcher gets the changes. */
async function expectWritable(store: SessionStore): Promise<void> {
  const watcher = startWatching(store);
  const expectSeen = (id: string): void =>
    expect(watcher.seen.map(({ sessionId }) => sessionId)).toContain(id);
  await eventually(async () => {
    await store.addMessage("other", user("more"));
    expectSeen("other");
  });
  await store.createSession("new");
  await store.forkSession("good", { newId: "newer" });
  await eventually(() => expectSeen("newer"));
  await watcher.stop();
  expect(await listed(store, { order: "id-asc" })).toEqual(expect.arrayContaining(["new", "newer", "other"]));
}

const canPlant = (_store: SessionStore, place: Place): boolean => typeof place.plantForeign === "function";

async function plant({ place }: CaseContext): Promise<void> {
  if (typeof place.plantForeign === "function") await place.plantForeign();
}

const foreign = (name: string, run: Case["run"]): Case =>
  behaviour(name, ["G8", "G17"], run, { applies: canPlant });

const damaged = (name: string, run: Case["run"]): Case =>
  behaviour(name, ["G8", "G17"], run, { applies: canCorrupt });

/** The warnings that name the damaged session. */
async function warningsOf(store: SessionStore): Promise<readonly string[]> {
  return (await store.describe()).warnings.filter((text) => /\bbad\b/.test(text));
}

/** A foreign or damaged entry does not fail calls about all sessions. */
export const foreignEntries: Section = {
  name: "foreign and damaged entries",
  cases: [
    foreign("foreign entries do not affect a store that is opened later", async (store, context) => {
      await createSessions(store);
      await store.close();
      await plant(context);
      const later = await context.open();
      await expectReadable(later, ["bad"]);
      await expectWritable(later);
    }),
    foreign("foreign entries do not affect an open store", async (store, context) => {
      await createSessions(store);
      await listed(store, {});
      await plant(context);
      await expectReadable(store, ["bad"]);
      await expectWritable(store);
    }),
    foreign("a new store can be created and used beside foreign entries", async (store, context) => {
      await store.close();
      await plant(context);
      const later = await context.open();
      expect(await listed(later, {})).toEqual([]);
      await createSessions(later);
      await expectReadable(later, ["bad"]);
    }),
    foreign("a store warns of each foreign entry once", async (store, context) => {
      await createSessions(store);
      await plant(context);
      await listed(store, {});
      const { warnings: first } = await store.describe();
      for (let n = 0; n < 3; n++) await listed(store, {});
      expect((await store.describe()).warnings).toEqual(first);
      expect(new Set(first).size).toBe(first.length);
    }),
    damaged("lists leave out a damaged session and no other", async (store, { place, open }) => {
      await createSessions(store);
      await store.close();
      await place.corrupt?.("bad");
      const later = await open();
      await expectReadable(later, []);
      await expectWritable(later);
      expect(await listed(later, { labels: { kind: "bad" } })).toEqual([]);
    }),
    damaged(
      "a store warns once of a damaged session that lists leave out",
      async (store, { place, open }) => {
        await createSessions(store);
        await store.close();
        await place.corrupt?.("bad");
        const later = await open();
        for (let n = 0; n < 3; n++) await listed(later, {});
        expect(await warningsOf(later)).toHaveLength(1);
      },
    ),
    behaviour(
      "declared absent: only a durable store can have foreign entries, unless its place has a reason for none",
      ["G8"],
      async (store, { place }) => {
        if (typeof place.plantForeign === "object") expect(place.plantForeign.reason).toMatch(/\w+ \w+/);
        else expectNotDurable(store, "plantForeign");
      },
      { applies: (store, place) => !canPlant(store, place) },
    ),
  ],
};
