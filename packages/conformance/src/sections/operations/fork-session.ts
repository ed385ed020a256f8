import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

export const forkSession: Section = {
  name: "forkSession",
  covers: ["forkSession"],
  cases: [
    behaviour("a fork has the parent's messages and begins at revision 1", ["G13", "G5"], async (store) => {
      const { messages } = await store.createSession("p", {
        title: "T",
        metadata: { a: 1 },
        messages: numbered(3),
      });
      const fork = await store.forkSession("p", { newId: "f" });
      expect(fork).toMatchObject({ sessionId: "f", revision: 1, duplicate: false });
      const session = await existingSession(store, "f");
      expect(session.messages).toEqual(messages);
      const parent = await existingSession(store, "p");
      expect(session.parent).toMatchObject({ sessionId: "p", incarnation: parent.incarnation });
      expect(session.metadata).toEqual({ a: 1 });
      expect(parent.revision).toBe(1);
    }),
    behaviour("a fork at a message has the messages through that one", ["G13"], async (store) => {
      await store.addMessage("p", numbered(5));
      await store.forkSession("p", { at: "m3", newId: "f" });
      const session = await existingSession(store, "f");
      expect(idsOf(session.messages)).toEqual(["m1", "m2", "m3"]);
      expect(session.parent).toMatchObject({ sessionId: "p", messageId: "m3" });
    }),
    behaviour("a fork at a snapshot has the snapshot's state", ["G13", "G14"], async (store) => {
      await store.addMessage("p", numbered(3));
      await store.createSnapshot("p", "three");
      await store.setChatHistory("p", [user("rewritten")]);
      await store.forkSession("p", { at: { snapshot: "three" }, newId: "f" });
      expect(idsOf(await store.getChatHistory("f"))).toEqual(["m1", "m2", "m3"]);
    }),
    behaviour("a fork can have another title and metadata, and null removes a key", [], async (store) => {
      await store.createSession("p", { title: "T", metadata: { a: 1, b: 2 } });
      await store.forkSession("p", { newId: "f", title: "Fork", metadata: { b: null, c: 3 } });
      const session = await existingSession(store, "f");
      expect(session.title).toBe("Fork");
      expect(session.metadata).toEqual({ a: 1, c: 3 });
    }),
    behaviour("forks without an id get different generated ids", ["G10"], async (store) => {
      await store.addMessage("p", numbered(1));
      const forks = await Promise.all([store.forkSession("p"), store.forkSession("p")]);
      const [one, two] = forks.map((fork) => fork.sessionId);
      expect(one).not.toBe(two);
      for (const fork of forks) expect(await store.sessionExists(fork.sessionId)).toBe(true);
    }),
    behaviour(
      "a fork has no turn, expiry, counters or snapshots of its parent, and its drafts are interrupted",
      ["G13"],
      async (store) => {
        const expiresAt = Date.now() + 86_400_000;
        await store.createSession("p", { counters: { turns: 3 }, expiresAt, messages: numbered(1) });
        await store.createSnapshot("p", "mark");
        const turn = await startTurn(store, "p", { messages: user("go") });
        await turn.append({ role: "assistant", content: "dra", status: "partial" });
        await store.forkSession("p", { newId: "f" });
        const fork = await existingSession(store, "f");
        expect(fork).toMatchObject({
          counters: {},
          snapshots: [],
          messages: [{}, {}, { status: "interrupted" }],
        });
        expect(fork.counters).toEqual({});
        for (const absent of ["turn", "expiresAt"]) expect(fork).not.toHaveProperty(absent);
        expect((await existingSession(store, "p")).messages).toMatchObject([{}, {}, { status: "partial" }]);
      },
    ),
    behaviour("a fork has the parent's archives with their summaries", ["G13", "G15"], async (store) => {
      await store.addMessage("p", numbered(4));
      const archive = await store.archiveMessages("p", { keepRecent: 2 });
      await store.settleArchive("p", archive?.id ?? "", { summary: "said 1 and 2" });
      await store.forkSession("p", { newId: "f" });
      expect(await store.listArchives("f")).toEqual(await store.listArchives("p"));
      expect(idsOf((await store.getArchive("f", archive?.id ?? "")).messages)).toEqual(["m1", "m2"]);
    }),
    behaviour(
      "forking an absent session is SESSION_NOT_FOUND and creates no session",
      ["G13", "G17"],
      async (store) => {
        await expectError(store.forkSession("nobody", { newId: "f" }), "SESSION_NOT_FOUND", {
          sessionId: "nobody",
        });
        expect(await store.sessionExists("f")).toBe(false);
        expect(await store.sessionExists("nobody")).toBe(false);
      },
    ),
    behaviour("forking at an unknown message or snapshot is refused", ["G2"], async (store) => {
      await store.addMessage("p", numbered(1));
      await expectError(store.forkSession("p", { at: "m9", newId: "f" }), "MESSAGE_NOT_FOUND", {
        messageId: "m9",
      });
      const fork = store.forkSession("p", { at: { snapshot: "none" }, newId: "f" });
      await expectError(fork, "SNAPSHOT_NOT_FOUND", { snapshot: "none" });
      expect(await store.sessionExists("f")).toBe(false);
    }),
    behaviour("forking to an existing id is SESSION_EXISTS and changes nothing", ["G4"], async (store) => {
      await store.addMessage("p", numbered(1));
      await store.addMessage("f", user("mine"));
      await expectError(store.forkSession("p", { newId: "f" }), "SESSION_EXISTS", { sessionId: "f" });
      await expectError(store.forkSession("p", { newId: "p" }), "SESSION_EXISTS", { sessionId: "p" });
      expect(await store.getChatHistory("f")).toMatchObject([{ content: "mine" }]);
    }),
  ],
};
