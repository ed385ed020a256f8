import type { ListOrder, ListSessionsQuery, SessionStore, SessionSummary } from "@sessions/protocol";
import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { LIST_ORDERS } from "../../samples/list-orders.js";
import { listedIds } from "../../samples/listed-ids.js";
import { numbered, user } from "../../samples/messages.js";

async function all(store: SessionStore, query: ListSessionsQuery = {}): Promise<SessionSummary[]> {
  const items: SessionSummary[] = [];
  for await (const item of store.listSessions(query)) items.push(item);
  return items;
}

/** How each order compares two sessions; ties are broken by id, in the same direction. */
const keys: Readonly<Record<ListOrder, (item: SessionSummary) => readonly (number | string)[]>> = {
  "updated-desc": (item) => [-item.updatedAt],
  "updated-asc": (item) => [item.updatedAt],
  "created-desc": (item) => [-item.createdAt],
  "created-asc": (item) => [item.createdAt],
  "id-asc": () => [],
  "id-desc": () => [],
};

function expectSorted(items: readonly SessionSummary[], order: ListOrder): void {
  for (const [n, item] of items.entries()) {
    const next = items[n + 1];
    if (next === undefined) continue;
    const [here, there] = [keys[order](item)[0] ?? 0, keys[order](next)[0] ?? 0];
    expect(here <= there, `${item.id} before ${next.id} in ${order}`).toBe(true);
    if (here !== there || item.id === next.id) continue;
    if (order === "id-asc") expect(item.id < next.id).toBe(true);
    if (order === "id-desc") expect(item.id > next.id).toBe(true);
  }
}

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `s${String(n).padStart(4, "0")}`);

export const listing: Section = {
  name: "listing",
  cases: [
    behaviour(
      "a list of hundreds of sessions has each of them once, in any order and page size",
      ["G17"],
      async (store, { open }) => {
        const expected = names(330);
        await Promise.all(expected.map((id) => store.addMessage(id, user(id))));
        const other = await open();
        for (const limit of [7, 50, 329, 330, 1000]) {
          expect((await listedIds(other, { limit })).toSorted(), `pages of ${limit}`).toEqual(expected);
        }
        for (const order of LIST_ORDERS)
          expect((await listedIds(other, { order, limit: 40 })).toSorted(), order).toEqual(expected);
      },
    ),
    ...LIST_ORDERS.map((order) =>
      behaviour(`${order} sorts sessions across pages and breaks ties by id`, ["G17"], async (store) => {
        const expected = names(40);
        await Promise.all(expected.toReversed().map((id) => store.addMessage(id, user(id))));
        for (const id of ["s0007", "s0031", "s0001"]) await store.addMessage(id, user("again"));
        const items = await all(store, { order, limit: 6 });
        expect(items).toHaveLength(40);
        expectSorted(items, order);
        expect(await listedIds(store, { order, limit: 13 })).toEqual(items.map((item) => item.id));
      }),
    ),
    behaviour("a list by labels has the sessions that match all of them", ["G17"], async (store) => {
      await store.createSession("a", { labels: { agent: "x", user: "ada" } });
      await store.createSession("b", { labels: { agent: "x", user: "bob" } });
      await store.createSession("c", { labels: { agent: "y", user: "ada" } });
      const find = async (labels: Record<string, string>): Promise<string[]> =>
        (await listedIds(store, { labels })).toSorted();
      expect(await find({ agent: "x" })).toEqual(["a", "b"]);
      expect(await find({ agent: "x", user: "ada" })).toEqual(["a"]);
      expect(await find({ agent: "z" })).toEqual([]);
      expect(await find({})).toEqual(["a", "b", "c"]);
      expect(await find({ agent: "X" })).toEqual([]);
    }),
    behaviour("a session is listed by its current labels only", ["G17", "G3"], async (store, { open }) => {
      await store.createSession("s", { labels: { state: "open", kind: "k" } });
      await (await open()).patchSession("s", { labels: { state: "closed", kind: null } });
      expect(await listedIds(store, { labels: { state: "open" } })).toEqual([]);
      expect(await listedIds(store, { labels: { state: "closed" } })).toEqual(["s"]);
      expect(await listedIds(store, { labels: { kind: "k" } })).toEqual([]);
    }),
    behaviour("label values are compared exactly", ["G9", "G17"], async (store) => {
      const values = ["é", "e\u0301", "user:1", "user/1", "a\u0000b", "%", "*", "x".repeat(512), ""];
      for (const [n, value] of values.entries()) await store.createSession(`s${n}`, { labels: { v: value } });
      for (const [n, value] of values.entries())
        expect(await listedIds(store, { labels: { v: value } })).toEqual([`s${n}`]);
    }),
    behaviour("forks can be listed by their parent and by labels at once", ["G17", "G13"], async (store) => {
      await store.addMessage("p", numbered(1));
      for (const newId of ["f1", "f2"]) await store.forkSession("p", { newId });
      await store.patchSession("f1", { labels: { kind: "draft" } });
      expect((await listedIds(store, { parent: "p" })).toSorted()).toEqual(["f1", "f2"]);
      expect(await listedIds(store, { parent: "p", labels: { kind: "draft" } })).toEqual(["f1"]);
      expect(await listedIds(store, { parent: "nobody" })).toEqual([]);
    }),
    behaviour("updatedSince selects the sessions that changed at or after a time", ["G17"], async (store) => {
      for (const id of ["a", "b", "c"]) await store.addMessage(id, user("x"));
      const items = await all(store, { order: "updated-asc" });
      for (const { updatedAt } of items) {
        const expected = items.filter((item) => item.updatedAt >= updatedAt).map((item) => item.id);
        expect(await listedIds(store, { order: "updated-asc", updatedSince: updatedAt })).toEqual(expected);
        expect(await listedIds(store, { order: "updated-asc", updatedSince: new Date(updatedAt) })).toEqual(
          expected,
        );
      }
      const newest = items.at(-1)?.updatedAt ?? 0;
      expect(await listedIds(store, { updatedSince: newest + 1 })).toEqual([]);
    }),
    behaviour(
      "pages neither skip nor repeat unchanged sessions while others are written",
      ["G17"],
      async (store, { open }) => {
        const other = await open();
        const still = names(60);
        await Promise.all(still.map((id) => store.createSession(id, { labels: { kind: "still" } })));
        const busy = Array.from({ length: 20 }, (_, n) => `busy${n}`);
        await Promise.all(busy.map((id) => store.createSession(id)));
        for (const order of LIST_ORDERS) {
          const seen: string[] = [];
          let cursor: string | undefined;
          let page = 0;
          do {
            const next: Awaited<ReturnType<typeof store.listSessions>> = await store.listSessions({
              order,
              limit: 8,
              cursor,
            });
            seen.push(...next.items.map((item) => item.id));
            cursor = next.cursor;
            page += 1;
            await other.addMessage(`busy${page}`, user("moves"));
            await other.addMessage(`aaa ${order} ${page}`, user("comes first"));
            await other.addMessage(`zzz ${order} ${page}`, user("comes last"));
            await other.deleteSession(`busy${19 - page}`);
          } while (cursor !== undefined && page < 100);
          expect(seen.filter((id) => id.startsWith("s")).toSorted(), order).toEqual(still);
          expect(seen, `${order} repeats`).toHaveLength(new Set(seen).size);
        }
      },
    ),
    behaviour(
      "a list has no deleted session, and has one that was created again",
      ["G17", "G3"],
      async (store, { open }) => {
        const other = await open();
        await Promise.all(names(20).map((id) => store.addMessage(id, user("x"))));
        for (const id of names(20).slice(0, 10)) await other.deleteSession(id);
        expect((await listedIds(store)).toSorted()).toEqual(names(20).slice(10));
        await other.addMessage("s0003", user("again"));
        expect((await listedIds(store)).toSorted()).toEqual(["s0003", ...names(20).slice(10)]);
      },
    ),
    behaviour(
      "a session is listed as soon as its creation is acknowledged, however it was created",
      ["G17"],
      async (store, { open }) => {
        const other = await open();
        const ways: readonly (readonly [id: string, make: () => Promise<unknown>])[] = [
          ["created", () => store.createSession("created")],
          ["appended", () => store.addMessage("appended", user("x"))],
          ["replaced", () => store.setChatHistory("replaced", [user("x")])],
          ["forked", () => store.forkSession("appended", { newId: "forked" })],
          ["begun", () => store.beginTurn("begun")],
          [
            "imported",
            async () => store.importSession(await store.exportSession("appended"), { newId: "imported" }),
          ],
        ];
        for (const [id, make] of ways) {
          await make();
          expect(await listedIds(other), id).toContain(id);
        }
      },
    ),
    behaviour(
      "a list has every unchanged session once while others are created and deleted",
      ["G17"],
      async (store, { open }) => {
        const other = await open();
        const still = names(30);
        await Promise.all(still.map((id) => store.addMessage(id, user("x"))));
        let writing = true;
        const churn = (async () => {
          for (let n = 0; n < 40; n++) {
            await other.addMessage(`t${n}`, user("x"));
            await other.deleteSession(`t${n}`);
          }
        })().finally(() => {
          writing = false;
        });
        while (writing)
          expect(
            (await listedIds(store, { limit: 7 })).filter((id) => id.startsWith("s")).toSorted(),
          ).toEqual(still);
        await churn;
        expect((await listedIds(store)).toSorted()).toEqual(still);
      },
    ),
    behaviour(
      "items of a list have the current revision and message count",
      ["G3"],
      async (store, { open }) => {
        const other = await open();
        for (let n = 1; n <= 5; n++) {
          await other.addMessage("s", numbered(1, n));
          expect(await all(store)).toMatchObject([{ id: "s", revision: n, messageCount: n }]);
        }
      },
    ),
  ],
};
