import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { listedIds } from "../../samples/listed-ids.js";
import { contentsOf, idsOf, user } from "../../samples/messages.js";
import { hostileIds, refusedIds } from "../../samples/session-ids.js";
import { untyped } from "../../samples/untyped.js";

export const identity: Section = {
  name: "identity",
  cases: [
    behaviour("distinct ids are distinct sessions", ["G10", "G17"], async (store, { open }) => {
      await Promise.all(hostileIds.map((id, n) => store.addMessage(id, user(`of ${n}`))));
      const other = await open();
      for (const [n, id] of hostileIds.entries()) {
        expect(contentsOf(await other.getChatHistory(id)), JSON.stringify(id)).toEqual([`of ${n}`]);
        expect((await other.getSession(id))?.id).toBe(id);
      }
      expect((await listedIds(other)).toSorted()).toEqual(hostileIds.toSorted());
    }),
    behaviour("deleting a session does not delete those with a similar id", ["G10", "G17"], async (store) => {
      await Promise.all(hostileIds.map((id) => store.addMessage(id, user("x"))));
      const gone = hostileIds.filter((_, n) => n % 2 === 0);
      await Promise.all(gone.map((id) => store.deleteSession(id)));
      for (const [n, id] of hostileIds.entries()) {
        expect(await store.sessionExists(id), JSON.stringify(id)).toBe(n % 2 === 1);
      }
      expect((await listedIds(store)).toSorted()).toEqual(
        hostileIds.filter((_, n) => n % 2 === 1).toSorted(),
      );
    }),
    ...refusedIds.map(([what, id]) =>
      behaviour(`${what} is refused as a session id by reads and writes`, ["G10"], async (store) => {
        const bad = untyped<string>(id);
        const fields = { path: expect.stringContaining("id") };
        await expectError(async () => store.getSession(bad), ["INVALID_ARGUMENT", "TOO_LARGE"], fields);
        await expectError(
          async () => store.addMessage(bad, user("x")),
          ["INVALID_ARGUMENT", "TOO_LARGE"],
          fields,
        );
        await expectError(async () => store.deleteSession(bad), ["INVALID_ARGUMENT", "TOO_LARGE"], fields);
        expect((await listedIds(store)).toSorted()).toEqual([]);
      }),
    ),
    behaviour(
      "message ids may be any text, and messages keep the order in which they were added",
      ["G10"],
      async (store) => {
        const ids = [
          "10",
          "9",
          "__proto__",
          "constructor",
          "é",
          "e\u0301",
          "a\u0000",
          "../x",
          "😀",
          "Z",
          "z",
          "a".repeat(512),
        ];
        await store.addMessage(
          "s",
          ids.map((id) => user(id, { id })),
        );
        expect(idsOf(await store.getChatHistory("s"))).toEqual(ids);
        for (const id of ids)
          expect(idsOf(await store.getMessages("s", [id])), JSON.stringify(id)).toEqual([id]);
        await store.removeMessages("s", ["__proto__", "e\u0301"]);
        expect(idsOf(await store.getChatHistory("s"))).toEqual(
          ids.filter((id) => !["__proto__", "e\u0301"].includes(id)),
        );
      },
    ),
    behaviour("snapshot names, turn ids and commit ids may be any text", ["G10"], async (store) => {
      const names = ["__proto__", "../x", "user:1", "user/1", "é", "e\u0301", "a\u0000b"];
      for (const name of names) {
        await store.addMessage("s", user(name), { commitId: name });
        await store.createSnapshot("s", name);
        await store.runTurn("s", { turnId: name }, () => undefined);
      }
      expect((await store.listSnapshots("s")).map((one) => one.name)).toEqual(names);
      for (const [n, name] of names.entries()) {
        expect(await store.addMessage("s", user(name), { commitId: name })).toMatchObject({
          duplicate: true,
        });
        expect(await store.beginTurn("s", { turnId: name })).toMatchObject({ status: "duplicate" });
        await store.revertToSnapshot("s", name);
        expect(await store.getChatHistory("s")).toHaveLength(n + 1);
      }
    }),
    behaviour("the same message id in two sessions is two messages", ["G10"], async (store) => {
      await store.addMessage("a", user("of a", { id: "m" }));
      await store.addMessage("b", user("of b", { id: "m" }));
      expect(await store.getMessages("a", ["m"])).toMatchObject([{ content: "of a" }]);
      expect(await store.getMessages("b", ["m"])).toMatchObject([{ content: "of b" }]);
    }),
  ],
};
