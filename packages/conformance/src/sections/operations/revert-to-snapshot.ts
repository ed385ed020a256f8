import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered } from "../../samples/messages.js";

export const revertToSnapshot: Section = {
  name: "revertToSnapshot",
  covers: ["revertToSnapshot"],
  cases: [
    behaviour("reverting restores the snapshot's messages in a new commit", ["G14", "G5"], async (store) => {
      const { messages } = await store.addMessage("s", numbered(3));
      await store.createSnapshot("s", "three");
      await store.addMessage("s", numbered(2, 4));
      expect(await store.revertToSnapshot("s", "three")).toMatchObject({ revision: 4, duplicate: false });
      expect(await store.getChatHistory("s")).toEqual(messages);
    }),
    behaviour("reverting changes no metadata, labels or counters", ["G4"], async (store) => {
      await store.createSession("s", { metadata: { a: 1 }, messages: numbered(1) });
      await store.createSnapshot("s", "one");
      await store.addMessage("s", numbered(1, 2));
      await store.patchSession("s", { metadata: { a: 2 }, labels: { l: "x" } });
      await store.incrementCounters("s", { turns: 1 });
      await store.revertToSnapshot("s", "one");
      expect(await existingSession(store, "s")).toMatchObject({
        metadata: { a: 2 },
        labels: { l: "x" },
        counters: { turns: 1 },
      });
    }),
    behaviour("after a revert later snapshots stay and can be reverted to", ["G14"], async (store) => {
      await store.addMessage("s", numbered(1));
      await store.createSnapshot("s", "one");
      await store.addMessage("s", numbered(1, 2));
      await store.createSnapshot("s", "two");
      await store.revertToSnapshot("s", "one");
      expect((await store.listSnapshots("s")).map((one) => one.name)).toEqual(["one", "two"]);
      await store.revertToSnapshot("s", "two");
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2"]);
    }),
    behaviour("reverting to the current state writes nothing", ["G5"], async (store) => {
      await store.addMessage("s", numbered(1));
      await store.createSnapshot("s", "one");
      await expectUnchanged(store, "s", async () => {
        expect(await store.revertToSnapshot("s", "one")).toMatchObject({ revision: 2, duplicate: true });
      });
    }),
    behaviour("reverting to an unknown snapshot is SNAPSHOT_NOT_FOUND", ["G2"], async (store) => {
      await store.addMessage("s", numbered(1));
      await expectUnchanged(store, "s", () =>
        expectError(store.revertToSnapshot("s", "none"), "SNAPSHOT_NOT_FOUND", { snapshot: "none" }),
      );
      await expectError(store.revertToSnapshot("nobody", "none"), "SESSION_NOT_FOUND");
    }),
  ],
};
