import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, user } from "../../samples/messages.js";

export const deleteSession: Section = {
  name: "deleteSession",
  covers: ["deleteSession"],
  cases: [
    behaviour("a deleted session is absent from every read and list", ["G16", "G17"], async (store) => {
      await store.createSession("s", { labels: { agent: "a" }, messages: [user("x")] });
      await store.createSnapshot("s", "before");
      expect(await store.deleteSession("s")).toBe(true);
      expect(await store.getSession("s")).toBeUndefined();
      expect(await store.getChatHistory("s")).toEqual([]);
      expect(await store.listSnapshots("s")).toEqual([]);
      expect((await store.listSessions({ labels: { agent: "a" } })).items).toEqual([]);
    }),
    behaviour("deleting an absent session is not an error and returns false", [], async (store) => {
      expect(await store.deleteSession("nobody")).toBe(false);
      await store.addMessage("s", user("x"));
      await store.deleteSession("s");
      expect(await store.deleteSession("s")).toBe(false);
    }),
    behaviour(
      "a session that begins after a deletion has nothing of the deleted one",
      ["G16", "G5"],
      async (store) => {
        await store.createSession("s", {
          title: "old",
          metadata: { a: 1 },
          counters: { turns: 9 },
          messages: [user("old")],
        });
        const before = await store.getSession("s");
        await store.deleteSession("s");
        await store.addMessage("s", user("new"));
        const session = await store.getSession("s");
        expect(contentsOf(session?.messages ?? [])).toEqual(["new"]);
        expect(session).toMatchObject({ metadata: {}, counters: {}, snapshots: [] });
        expect(session).not.toHaveProperty("title");
        expect(session?.incarnation).not.toBe(before?.incarnation);
        expect(session?.revision).toBe(3);
      },
    ),
    behaviour("deleting a session keeps its forks unless the deletion cascades", ["G13"], async (store) => {
      await store.addMessage("root", user("x"));
      await store.forkSession("root", { newId: "child" });
      await store.forkSession("child", { newId: "grandchild" });
      await store.deleteSession("root");
      expect(contentsOf(await store.getChatHistory("child"))).toEqual(["x"]);
      expect(await store.deleteSession("child", { cascade: true })).toBe(true);
      expect(await store.sessionExists("grandchild")).toBe(false);
      expect((await store.listSessions()).items).toEqual([]);
    }),
    behaviour(
      "a cascading deletion that is sent again deletes remaining forks of the absent parent",
      ["G13"],
      async (store) => {
        await store.addMessage("root", user("x"));
        await store.forkSession("root", { newId: "child" });
        await store.addMessage("bystander", user("y"));
        const first = await store.deleteSession("root", { cascade: true, commitId: "sweep" });
        expect(first).toBe(true);
        expect(await store.deleteSession("root", { cascade: true, commitId: "sweep" })).toBe(true);
        expect((await store.listSessions()).items.map((item) => item.id)).toEqual(["bystander"]);
      },
    ),
    behaviour("a deletion with a wrong ifRevision deletes nothing", ["G5"], async (store) => {
      await store.addMessage("s", user("x"));
      await expect(store.deleteSession("s", { ifRevision: 9 })).rejects.toMatchObject({
        code: "REVISION_CONFLICT",
      });
      expect(await store.sessionExists("s")).toBe(true);
    }),
    behaviour(
      "a deletion that is sent again does not delete a session created since",
      ["G6"],
      async (store) => {
        await store.addMessage("s", user("old"));
        expect(await store.deleteSession("s", { commitId: "d1" })).toBe(true);
        await store.addMessage("s", user("new"));
        expect(await store.deleteSession("s", { commitId: "d1" })).toBe(true);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["new"]);
      },
    ),
  ],
};
