import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { behaviour } from "../../behaviour.js";
import type { Case, CaseContext, Section } from "../../case.js";
import type { Place } from "../../harness.js";
import { LIST_ORDERS } from "../../samples/list-orders.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";
import { startWatching } from "../../samples/watcher.js";

/** A session "parent" with forks "good" and "bad", and a session "other". All but "bad" have the label `kind: "sound"`. */
async function family(store: SessionStore): Promise<void> {
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
  const ids: string[] = [];
  for await (const { id } of store.listSessions({ limit: 2, ...query })) ids.push(id);
  return ids.toSorted();
}

/** Everything about the sound sessions works. `bad`: what is expected of "bad" in lists. */
async function expectUndisturbed(store: SessionStore, bad: readonly string[]): Promise<void> {
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

/** New changes are made and heard of. */
async function expectGoesOn(store: SessionStore): Promise<void> {
  const watcher = startWatching(store);
  const heardOf = (id: string): void => expect(watcher.seen.map(({ sessionId }) => sessionId)).toContain(id);
  await eventually(async () => {
    await store.addMessage("other", user("more"));
    heardOf("other");
  });
  await store.createSession("new");
  await store.forkSession("good", { newId: "newer" });
  await eventually(() => heardOf("newer"));
  await watcher.stop();
  expect(await listed(store, { order: "id-asc" })).toEqual(expect.arrayContaining(["new", "newer", "other"]));
}

const canPlant = (_store: SessionStore, place: Place): boolean => typeof place.plantForeign === "function";
const canCorrupt = (_store: SessionStore, place: Place): boolean => place.corrupt !== undefined;

async function plant({ place }: CaseContext): Promise<void> {
  if (typeof place.plantForeign === "function") await place.plantForeign();
}

const foreign = (name: string, run: Case["run"]): Case =>
  behaviour(name, ["G8", "G17"], run, { applies: canPlant });

const damaged = (name: string, run: Case["run"]): Case =>
  behaviour(name, ["G8", "G17"], run, { applies: canCorrupt });

/** The warnings that name the damaged session. */
async function warnings(store: SessionStore): Promise<readonly string[]> {
  return (await store.describe()).warnings.filter((text) => /\bbad\b/.test(text));
}

/** One entry that is foreign or damaged does not fail what is about all sessions. */
export const foreignEntries: Section = {
  name: "foreign and damaged entries",
  cases: [
    foreign("foreign entries disturb a store that is opened later in nothing", async (store, context) => {
      await family(store);
      await store.close();
      await plant(context);
      const later = await context.open();
      await expectUndisturbed(later, ["bad"]);
      await expectGoesOn(later);
    }),
    foreign("foreign entries disturb an open store in nothing", async (store, context) => {
      await family(store);
      await listed(store, {});
      await plant(context);
      await expectUndisturbed(store, ["bad"]);
      await expectGoesOn(store);
    }),
    foreign("a store is created and used where foreign entries are already", async (store, context) => {
      await store.close();
      await plant(context);
      const later = await context.open();
      expect(await listed(later, {})).toEqual([]);
      await family(later);
      await expectUndisturbed(later, ["bad"]);
    }),
    foreign("foreign entries are warned of once each, however often they are met", async (store, context) => {
      await family(store);
      await plant(context);
      await listed(store, {});
      const { warnings: first } = await store.describe();
      for (let n = 0; n < 3; n++) await listed(store, {});
      expect((await store.describe()).warnings).toEqual(first);
      expect(new Set(first).size).toBe(first.length);
    }),
    damaged("a damaged session is left out of lists, and nothing else is", async (store, { place, open }) => {
      await family(store);
      await store.close();
      await place.corrupt?.("bad");
      const later = await open();
      await expectUndisturbed(later, []);
      await expectGoesOn(later);
      expect(await listed(later, { labels: { kind: "bad" } })).toEqual([]);
    }),
    damaged("a damaged session that a list leaves out is warned of once", async (store, { place, open }) => {
      await family(store);
      await store.close();
      await place.corrupt?.("bad");
      const later = await open();
      for (let n = 0; n < 3; n++) await listed(later, {});
      expect(await warnings(later)).toHaveLength(1);
    }),
    behaviour(
      "declared absent: only data that outlives its process can have foreign or damaged entries",
      ["G8"],
      async (store, { place }) => {
        if (typeof place.plantForeign === "object") expect(place.plantForeign.reason).toMatch(/\w+ \w+/);
        else
          expect(store.capabilities.durable, "a durable store's place gives `plantForeign`").toMatchObject({
            supported: false,
          });
      },
      { applies: (store, place) => !canPlant(store, place) },
    ),
  ],
};
