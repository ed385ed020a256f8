import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, idsOf, numbered, user } from "../../samples/messages.js";

/** Changes that must not reach a related session. */
const changes: Readonly<Record<string, (store: SessionStore, id: string) => Promise<unknown>>> = {
  "an append": (store, id) => store.addMessage(id, user("x")),
  "an update": (store, id) => store.updateMessage(id, "m3", user("x")),
  "an extension": (store, id) => store.commit(id, { op: "extend", messageId: "m3", text: "x" }),
  "a removal": (store, id) => store.removeMessages(id, "m3"),
  "a replace": (store, id) => store.setChatHistory(id, [user("x")]),
  "a clear": (store, id) => store.clearSession(id),
  "an archive": (store, id) => store.archiveMessages(id, { keepRecent: 1 }),
  "a settled summary": async (store, id) => {
    const [archive] = await store.listArchives(id);
    await store.settleArchive(id, archive?.id ?? "", { summary: "x" });
  },
  "a change of metadata": (store, id) => store.updateSessionMetadata(id, { a: 2 }),
  "a change of labels": (store, id) => store.patchSession(id, { labels: { l: "2" }, title: "x" }),
  "a turn": (store, id) => store.beginTurn(id),
  "a deletion": (store, id) => store.deleteSession(id),
  "a deletion and a new session": async (store, id) => {
    await store.deleteSession(id);
    await store.addMessage(id, numbered(9));
  },
};

async function parentAndFork(store: SessionStore): Promise<void> {
  await store.createSession("p", { metadata: { a: 1 }, messages: numbered(5) });
  await store.archiveMessages("p", { keepRecent: 3 });
  await store.forkSession("p", { newId: "f" });
}

async function stateOf(store: SessionStore, id: string): Promise<string> {
  return JSON.stringify([await store.exportSession(id), await store.getSession(id)]);
}

export const forks: Section = {
  name: "forks are islands",
  cases: [
    ...Object.entries(changes).flatMap(([what, change]) =>
      [
        ["the parent", "p", "f"],
        ["the fork", "f", "p"],
      ].map(([side, from, to]) =>
        behaviour(`${what} on ${side} does not change the other`, ["G13"], async (store, { open }) => {
          await parentAndFork(store);
          const before = await stateOf(store, String(to));
          await change(store, String(from));
          expect(await stateOf(await open(), String(to))).toBe(before);
        }),
      ),
    ),
    behaviour("a fork of a fork keeps its messages when its parent is deleted", ["G13"], async (store) => {
      await store.addMessage("a", numbered(2));
      await store.forkSession("a", { newId: "b" });
      await store.addMessage("b", user("b", { id: "b1" }));
      await store.forkSession("b", { newId: "c", at: "m2" });
      expect(idsOf(await store.getChatHistory("c"))).toEqual(["m1", "m2"]);
      expect((await store.getParent("c"))?.id).toBe("b");
      await store.deleteSession("b");
      expect(idsOf(await store.getChatHistory("c"))).toEqual(["m1", "m2"]);
    }),
    behaviour(
      "a fork of a session that is being written has one consistent state of it",
      ["G13", "G2"],
      async (store, { open }) => {
        const other = await open();
        await store.addMessage("p", user("0"));
        const writing = Promise.all(
          Array.from({ length: 40 }, (_, n) => other.addMessage("p", user(`${n + 1}`))),
        );
        const made = await Promise.all(
          Array.from({ length: 8 }, (_, n) => store.forkSession("p", { newId: `f${n}` })),
        );
        await writing;
        const whole = contentsOf(await store.getChatHistory("p"));
        for (const { sessionId } of made) {
          const texts = contentsOf(await store.getChatHistory(sessionId));
          expect(texts).toEqual(whole.slice(0, texts.length));
        }
      },
    ),
    behaviour("the parent of a fork never changes", ["G13"], async (store) => {
      await parentAndFork(store);
      await store.setChatHistory("f", [user("rewritten")]);
      await store.patchSession("f", { metadata: { parent: null }, title: "F" });
      expect((await existingSession(store, "f")).parent).toMatchObject({ sessionId: "p" });
    }),
  ],
};
