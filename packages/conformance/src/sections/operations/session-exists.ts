import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { user } from "../../samples/messages.js";

export const sessionExists: Section = {
  name: "sessionExists",
  covers: ["sessionExists"],
  cases: [
    behaviour(
      "every instance sees that a session was created or deleted",
      ["G3"],
      async (store, { open }) => {
        const other = await open();
        const seen = async (): Promise<boolean[]> => [
          await store.sessionExists("s"),
          await other.sessionExists("s"),
        ];
        expect(await seen()).toEqual([false, false]);
        await store.addMessage("s", user("hi"));
        expect(await seen()).toEqual([true, true]);
        await other.deleteSession("s");
        expect(await seen()).toEqual([false, false]);
      },
    ),
    behaviour("sessionExists does not create a session", ["G17"], async (store) => {
      expect(await store.sessionExists("s")).toBe(false);
      expect((await store.listSessions()).items).toEqual([]);
    }),
  ],
};
