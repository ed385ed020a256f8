import { append, snapshot } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

export const createSnapshot: Section = {
  name: "createSnapshot",
  covers: ["createSnapshot"],
  cases: [
    behaviour("a snapshot names the state at its own commit", ["G14", "G5"], async (store) => {
      await store.addMessage("s", numbered(3));
      expect(await store.createSnapshot("s", "three")).toMatchObject({
        name: "three",
        revision: 2,
        duplicate: false,
      });
      const { snapshots } = await existingSession(store, "s");
      expect(snapshots).toMatchObject([{ name: "three", revision: 2, messageCount: 3 }]);
    }),
    behaviour(
      "a snapshot in a commit of several operations has what those before it made",
      ["G14", "G2"],
      async (store) => {
        await store.commit("s", [append(numbered(2)), snapshot("two"), append(numbered(1, 3))]);
        expect((await existingSession(store, "s")).snapshots).toMatchObject([
          { name: "two", revision: 1, messageCount: 2 },
        ]);
        await store.revertToSnapshot("s", "two");
        expect(await store.getChatHistory("s")).toHaveLength(2);
      },
    ),
    behaviour("a snapshot without a name gets one", ["G14"], async (store) => {
      await store.addMessage("s", numbered(1));
      const first = await store.createSnapshot("s");
      await store.addMessage("s", numbered(1, 2));
      const second = await store.createSnapshot("s");
      expect(first.name).not.toBe(second.name);
      expect((await store.listSnapshots("s")).map((one) => one.name)).toEqual([first.name, second.name]);
    }),
    behaviour("a snapshot name in use for another state is refused", ["G14", "G2"], async (store) => {
      await store.addMessage("s", numbered(1));
      await store.createSnapshot("s", "mark");
      await store.addMessage("s", numbered(1, 2));
      await expectUnchanged(store, "s", () =>
        expectError(store.createSnapshot("s", "mark"), "INVALID_ARGUMENT", {
          path: expect.stringContaining("name"),
        }),
      );
    }),
    behaviour("the same snapshot name for the same state is written once", ["G5"], async (store) => {
      await store.addMessage("s", numbered(1));
      await store.createSnapshot("s", "mark");
      await expectUnchanged(store, "s", async () => {
        expect(await store.createSnapshot("s", "mark")).toMatchObject({
          name: "mark",
          duplicate: true,
          revision: 2,
        });
      });
    }),
    behaviour("a snapshot of an absent session is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.createSnapshot("s", "x"), "SESSION_NOT_FOUND");
    }),
  ],
};
