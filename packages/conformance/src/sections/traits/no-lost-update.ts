import { append, set } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, numbered, user } from "../../samples/messages.js";

export const noLostUpdate: Section = {
  name: "no lost update",
  cases: [
    behaviour(
      "concurrent appends from several instances are all kept, in one order for all",
      ["G4"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        const texts = Array.from({ length: 120 }, (_, n) => `${n}`);
        const results = await Promise.all(texts.map((text, n) => stores[n % 3]?.addMessage("s", user(text))));
        const histories = await Promise.all(stores.map((one) => one.getChatHistory("s")));
        for (const history of histories) expect(history).toEqual(histories[0]);
        const byRevision = results.toSorted((a, b) => (a?.revision ?? 0) - (b?.revision ?? 0));
        expect(histories[0]).toEqual(byRevision.flatMap((result) => result?.messages ?? []));
        expect(contentsOf(histories[0] ?? []).toSorted()).toEqual(texts.toSorted());
      },
    ),
    behaviour("concurrent writes of different kinds are all kept", ["G4"], async (store, { open }) => {
      const other = await open();
      await store.createSession("s", { metadata: { old: 1 }, labels: { old: "1" } });
      await existingSession(other, "s");
      await Promise.all([
        store.addMessage("s", numbered(3)),
        other.updateSessionMetadata("s", { new: 2 }),
        store.patchSession("s", { labels: { new: "2" } }),
        other.incrementCounters("s", { turns: 1 }),
        store.patchSession("s", { title: "T" }),
        other.addMessage("s", numbered(2, 4)),
        store.createSnapshot("s", "mark"),
      ]);
      expect(await existingSession(store, "s")).toMatchObject({
        revision: 8,
        title: "T",
        messageCount: 5,
        metadata: { old: 1, new: 2 },
        labels: { old: "1", new: "2" },
        counters: { turns: 1 },
        snapshots: [{ name: "mark" }],
      });
    }),
    behaviour(
      "an instance that has a session in memory does not write outdated data",
      ["G4", "G3"],
      async (store, { open }) => {
        const warmed = await open();
        await store.createSession("s", { metadata: { a: 1 }, messages: numbered(2) });
        await warmed.getSession("s");
        await warmed.addMessage("s", user("warm"));
        await store.updateSessionMetadata("s", { a: null, b: 2 });
        await store.removeMessages("s", "m1");
        await warmed.addMessage("s", user("from the warmed one"));
        await warmed.incrementCounters("s", { turns: 1 });
        const session = await existingSession(store, "s");
        expect(session.metadata).toEqual({ b: 2 });
        expect(contentsOf(session.messages)).toEqual(["2", "warm", "from the warmed one"]);
      },
    ),
    behaviour(
      "two callers that replace the history they read, with its revision as base, both keep their messages",
      ["G4", "G12"],
      async (store, { open }) => {
        const other = await open();
        await store.addMessage("s", numbered(2));
        const [mine, theirs] = [await existingSession(store, "s"), await existingSession(other, "s")];
        await store.setChatHistory("s", [...mine.messages, user("q1"), assistant("a1")], {
          base: mine.revision,
        });
        await other.setChatHistory("s", [...theirs.messages, user("q2"), assistant("a2")], {
          base: theirs.revision,
        });
        const texts = contentsOf(await store.getChatHistory("s"));
        expect(texts.toSorted()).toEqual(["1", "2", "a1", "a2", "q1", "q2"]);
      },
    ),
    behaviour(
      "a concurrent clear removes an append only if its revision is greater",
      ["G4"],
      async (store, { open }) => {
        const other = await open();
        await store.addMessage("s", numbered(3));
        const [cleared, added] = await Promise.all([
          store.clearSession("s"),
          other.addMessage("s", user("x", { id: "x" })),
        ]);
        const survives = added.revision > cleared.revision;
        expect((await store.getChatHistory("s")).map((message) => message.id)).toEqual(survives ? ["x"] : []);
      },
    ),
    behaviour("concurrent computed and plain changes are all applied", ["G4"], async (store, { open }) => {
      const other = await open();
      await store.createSession("s", { metadata: { seen: 0 } });
      const work = Array.from({ length: 20 }, (_, n) => [
        other.addMessage("s", user(`${n}`)),
        store.updateSession("s", (session) =>
          set({ metadata: { seen: Number(session?.metadata["seen"]) + 1 } }),
        ),
      ]);
      await Promise.all(work.flat());
      expect(await existingSession(store, "s")).toMatchObject({
        messageCount: 20,
        metadata: { seen: 20 },
        revision: 41,
      });
    }),
    behaviour(
      "a concurrent deletion and append leave no session, or one with the append alone",
      ["G4", "G16"],
      async (store, { open }) => {
        const other = await open();
        await store.createSession("s", { title: "T", messages: numbered(3) });
        const [, added] = await Promise.all([
          store.deleteSession("s"),
          other.commit("s", append(user("x", { id: "x" }))),
        ]);
        const session = await store.getSession("s");
        if (session === undefined) expect(added.revision).toBe(2);
        else
          expect([session.messages.map((message) => message.id), session.title]).toEqual([["x"], undefined]);
      },
    ),
  ],
};
