import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

export const listArchives: Section = {
  name: "listArchives",
  covers: ["listArchives"],
  cases: [
    behaviour("archives are listed oldest first, as the session has them", ["G15"], async (store) => {
      await store.addMessage("s", numbered(4));
      const first = await store.archiveMessages("s", { keepRecent: 2 });
      const second = await store.archiveMessages("s", { keepRecent: 0 });
      expect(await store.listArchives("s")).toEqual([first, second]);
      expect((await store.getSession("s"))?.archives).toEqual([first, second]);
    }),
    behaviour("an absent session has no archives", ["G16"], async (store) => {
      expect(await store.listArchives("nobody")).toEqual([]);
    }),
  ],
};
