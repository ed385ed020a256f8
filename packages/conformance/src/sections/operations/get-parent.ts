import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

export const getParent: Section = {
  name: "getParent",
  covers: ["getParent"],
  cases: [
    behaviour("the parent of a fork is the session that it was forked from", ["G13"], async (store) => {
      await store.createSession("p", { title: "Parent", messages: numbered(1) });
      await store.forkSession("p", { newId: "f" });
      expect(await store.getParent("f")).toMatchObject({ id: "p", title: "Parent" });
    }),
    behaviour(
      "a session that is not a fork, a fork of a deleted session and an absent session have no parent",
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
