import type { ListSessionsQuery, SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { expectRejection } from "../../assertions/expect-rejection.js";
import { searchOf } from "../../assertions/search-of.js";
import { behaviour } from "../../behaviour.js";
import type { Case } from "../../case.js";
import { LIST_ORDERS } from "../../samples/list-orders.js";
import { user } from "../../samples/messages.js";
import { currentCursor } from "../../samples/resumed-watch.js";

/** The cursor after a first page of one session. */
async function cursorOf(store: SessionStore, query: ListSessionsQuery): Promise<string> {
  const { cursor } = await store.listSessions({ ...query, limit: 1 });
  if (cursor === undefined) throw new Error("the list ends with its first page");
  return cursor;
}

async function prepare(store: SessionStore): Promise<void> {
  for (const id of ["a", "b", "c"])
    await store.createSession(id, { labels: { user: "ada" }, messages: [user(id)] });
}

/** Cases about cursors that were made for another query. A cursor is valid for one order of one set of sessions. */
export const foreignCursors: readonly Case[] = [
  behaviour("the cursor of a list is refused with another order", ["G17"], async (store) => {
    await prepare(store);
    for (const order of LIST_ORDERS) {
      const cursor = await cursorOf(store, { order });
      for (const other of LIST_ORDERS.filter((one) => one !== order)) {
        const call = (): PromiseLike<unknown> => store.listSessions({ order: other, cursor });
        await expectRejection(call, "INVALID_ARGUMENT", `a cursor of ${order} with ${other}`);
      }
      expect((await store.listSessions({ order, cursor })).items).toHaveLength(2);
    }
  }),
  behaviour("the cursor of a list is refused with other filters", ["G17"], async (store) => {
    await prepare(store);
    const labels = { user: "ada" };
    const cursor = await cursorOf(store, { labels });
    const others: readonly ListSessionsQuery[] = [
      {},
      { labels: { user: "bob" } },
      { labels, parent: "a" },
      { labels, updatedSince: 1 },
    ];
    for (const query of others)
      await expectRejection(
        () => store.listSessions({ ...query, cursor }),
        "INVALID_ARGUMENT",
        JSON.stringify(query),
      );
    const page = await store.listSessions({ labels, cursor, limit: 9, metadata: ["a"] });
    expect(page.items, "another page size and other metadata are fine").toHaveLength(2);
  }),
  behaviour("a list refuses the cursor of a watch, and a watch that of a list", ["G17"], async (store) => {
    await prepare(store);
    const since = await cursorOf(store, {});
    const watch = (): PromiseLike<unknown> => store.watch({ since })[Symbol.asyncIterator]().next();
    await expectRejection(watch, "INVALID_ARGUMENT", "a list's cursor for watch");
    const cursor = await currentCursor(store);
    await expectRejection(
      () => store.listSessions({ cursor }),
      "INVALID_ARGUMENT",
      "a change's cursor for a list",
    );
    for (const text of ["", "x", "e30", "bnVsbA"])
      await expectRejection(
        () => store.listSessions({ cursor: text }),
        "INVALID_ARGUMENT",
        `the cursor "${text}"`,
      );
  }),
  behaviour(
    "the cursor of a search is refused by another search and by a list",
    ["G17"],
    async (store) => {
      const search = searchOf(store);
      await store.addMessage("a", [user("needle 1"), user("needle 2"), user("needle 3")]);
      const { cursor } = await eventually(async () => {
        const first = await search({ text: "needle", limit: 1 });
        expect(first.cursor).toBeDefined();
        return first;
      });
      const page = { cursor: cursor ?? "", limit: 1 };
      await expectRejection(() => search({ text: "other", ...page }), "INVALID_ARGUMENT", "another text");
      await expectRejection(
        () => search({ text: "needle", roles: ["user"], ...page }),
        "INVALID_ARGUMENT",
        "roles",
      );
      await expectRejection(() => store.listSessions(page), "INVALID_ARGUMENT", "a list");
      expect((await search({ text: "needle", ...page })).items).toHaveLength(1);
    },
    { applies: (store) => store.capabilities.search.supported },
  ),
];
