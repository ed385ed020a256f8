import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

export const getParent: Section = {
  name: "getParent",
  covers: ["getParent"],
  cases: [
    behaviour("the session that a fork was made from", ["G13"], async (store) => {
      await store.createSession("p", { title: "Parent", messages: numbered(1) });
      await store.forkSession("p", { newId: "f" });
      expect(await store.getParent("f")).toMatchObject({ id: "p", title: "Parent" });
    }),
    behaviour(
      "undefined for a session that is no fork, for one whose parent is gone, for none",
      ["G13"],
      async (store) => {
        await store.addMessage("p", numbered(1));
        await store.forkSession("p", { newId: "f" });
        expect(await store.getParent("p")).toBeUndefined();
        expect(await store.getParent("nobody")).toBeUndefined();
        await store.deleteSession("p");
        expect(await store.getParent("f")).toBeUndefined();
      },
    ),
  ],
};
