import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered } from "../../samples/messages.js";

export const dropSnapshot: Section = {
  name: "dropSnapshot",
  covers: ["dropSnapshot"],
  cases: [
    behaviour(
      "a dropped snapshot is gone, and messages and other snapshots stay",
      ["G14", "G5"],
      async (store) => {
        await store.addMessage("s", numbered(2));
        await store.createSnapshot("s", "one");
        await store.addMessage("s", numbered(1, 3));
        await store.createSnapshot("s", "two");
        expect(await store.dropSnapshot("s", "one")).toMatchObject({ revision: 5, duplicate: false });
        expect((await store.listSnapshots("s")).map((one) => one.name)).toEqual(["two"]);
        expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2", "m3"]);
        await expectError(store.revertToSnapshot("s", "one"), "SNAPSHOT_NOT_FOUND");
      },
    ),
    behaviour("the name of a dropped snapshot can be used for another state", ["G14"], async (store) => {
      await store.addMessage("s", numbered(1));
      await store.createSnapshot("s", "mark");
      await store.addMessage("s", numbered(1, 2));
      await store.dropSnapshot("s", "mark");
      await store.createSnapshot("s", "mark");
      await store.clearSession("s");
      await store.revertToSnapshot("s", "mark");
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2"]);
    }),
    behaviour("dropping an unknown snapshot is SNAPSHOT_NOT_FOUND", [], async (store) => {
      await store.addMessage("s", numbered(1));
      await expectError(store.dropSnapshot("s", "none"), "SNAPSHOT_NOT_FOUND", { snapshot: "none" });
    }),
  ],
};
