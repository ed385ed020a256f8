import type { ListSessionsQuery } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { listedIds } from "../../samples/listed-ids.js";
import { user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

const wrong: readonly (readonly [what: string, query: unknown, path: string])[] = [
  ["an unknown order", { order: "sideways" }, "order"],
  ["a negative limit", { limit: -1 }, "limit"],
  ["a fractional limit", { limit: 2.5 }, "limit"],
  ["a label that is not a string", { labels: { agent: 1 } }, "agent"],
  ["a made-up cursor", { cursor: "made up" }, "cursor"],
];

export const listSessions: Section = {
  name: "listSessions",
  covers: ["listSessions"],
  cases: [
    behaviour("an empty store lists nothing", ["G17"], async (store) => {
      expect(await store.listSessions()).toEqual({ items: [] });
    }),
    behaviour(
      "an awaited list is one page, and `for await` goes through all pages",
      ["G17"],
      async (store) => {
        for (const id of ["a", "b", "c", "d", "e"]) await store.addMessage(id, user(id));
        const page = await store.listSessions({ order: "id-asc", limit: 2 });
        expect(page.items.map((item) => item.id)).toEqual(["a", "b"]);
        expect(page.cursor).toBeTypeOf("string");
        expect(await listedIds(store, { order: "id-asc", limit: 2 })).toEqual(["a", "b", "c", "d", "e"]);
      },
    ),
    behaviour("the last page of a list has no cursor", ["G17"], async (store) => {
      for (const id of ["a", "b"]) await store.addMessage(id, user(id));
      const full = await store.listSessions({ limit: 2 });
      if (full.cursor !== undefined)
        expect((await store.listSessions({ limit: 2, cursor: full.cursor })).items).toEqual([]);
      expect(await store.listSessions({ limit: 3 })).not.toHaveProperty("cursor");
    }),
    behaviour("an item of a list is the session without its messages", ["G9"], async (store) => {
      await store.createSession("s", {
        title: "T",
        labels: { agent: "a" },
        counters: { turns: 1 },
        messages: [user("x")],
      });
      const [item] = (await store.listSessions()).items;
      expect(item).toMatchObject({
        id: "s",
        revision: 1,
        title: "T",
        labels: { agent: "a" },
        counters: { turns: 1 },
      });
      expect(item).toMatchObject({ messageCount: 1 });
      expect(item).not.toHaveProperty("messages");
    }),
    behaviour("an item of a list has only the requested metadata keys", [], async (store) => {
      await store.createSession("s", { metadata: { a: 1, b: [2], c: 3 } });
      expect((await store.listSessions()).items[0]?.metadata).toEqual({});
      const page = await store.listSessions({ metadata: ["b", "a", "nothing"] });
      expect(page.items[0]?.metadata).toEqual({ a: 1, b: [2] });
    }),
    ...wrong.map(([what, query, path]) =>
      behaviour(`${what} is refused`, [], async (store) => {
        await store.addMessage("s", user("x"));
        const fields = { path: expect.stringContaining(path) };
        await expectError(store.listSessions(untyped<ListSessionsQuery>(query)), "INVALID_ARGUMENT", fields);
      }),
    ),
  ],
};
