import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";

export const clearSession: Section = {
  name: "clearSession",
  covers: ["clearSession"],
  cases: [
    behaviour("clearing removes the live messages and nothing else", ["G4", "G5"], async (store) => {
      await store.createSession("s", {
        title: "T",
        labels: { a: "1" },
        metadata: { m: 1 },
        counters: { turns: 1 },
      });
      await store.addMessage("s", numbered(4));
      await store.archiveMessages("s", { keepRecent: 2 });
      await store.createSnapshot("s", "before");
      expect(await store.clearSession("s")).toMatchObject({ revision: 5, duplicate: false });
      const session = await existingSession(store, "s");
      expect(session).toMatchObject({
        title: "T",
        labels: { a: "1" },
        metadata: { m: 1 },
        counters: { turns: 1 },
      });
      expect(session).toMatchObject({
        messages: [],
        archives: [{ messageCount: 2 }],
        snapshots: [{ name: "before" }],
      });
    }),
    behaviour("clearing an empty session writes nothing", ["G5"], async (store) => {
      await store.createSession("s");
      expect(await store.clearSession("s")).toEqual({ revision: 1, duplicate: true, messages: [] });
    }),
    behaviour(
      "of calls that are not awaited, a clear removes what was added before it and nothing added after",
      ["G4"],
      async (store) => {
        await store.addMessage("s", user("before"));
        const clearing = store.clearSession("s");
        const adding = store.addMessage("s", user("after"));
        await Promise.all([clearing, adding]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["after"]);
      },
    ),
  ],
};
