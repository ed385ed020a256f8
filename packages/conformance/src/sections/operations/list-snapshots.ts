import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

export const listSnapshots: Section = {
  name: "listSnapshots",
  covers: ["listSnapshots"],
  cases: [
    behaviour("snapshots are listed in the order in which they were created", ["G14"], async (store) => {
      for (const [n, name] of ["zebra", "apple", "mango"].entries()) {
        await store.addMessage("s", numbered(1, n + 1));
        await store.createSnapshot("s", name);
      }
      const listed = await store.listSnapshots("s");
      expect(listed.map((one) => [one.name, one.messageCount])).toEqual([
        ["zebra", 1],
        ["apple", 2],
        ["mango", 3],
      ]);
    }),
    behaviour("an absent session has no snapshots", ["G16"], async (store) => {
      expect(await store.listSnapshots("nobody")).toEqual([]);
    }),
  ],
};
