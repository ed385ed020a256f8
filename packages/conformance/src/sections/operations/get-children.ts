import { expect } from "vitest";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

export const getChildren: Section = {
  name: "getChildren",
  covers: ["getChildren"],
  cases: [
    behaviour(
      "the children of a session are its forks, without the forks of those",
      ["G13", "G17"],
      async (store) => {
        await store.addMessage("p", numbered(1));
        for (const newId of ["a", "b"]) await store.forkSession("p", { newId });
        await store.forkSession("a", { newId: "c" });
        const children = await store.getChildren("p");
        expect(children.map((child) => child.id).toSorted()).toEqual(["a", "b"]);
      },
    ),
    behaviour("a deleted fork is not among the children", ["G17"], async (store) => {
      await store.addMessage("p", numbered(1));
      for (const newId of ["a", "b"]) await store.forkSession("p", { newId });
      await store.deleteSession("a");
      expect((await store.getChildren("p")).map((child) => child.id)).toEqual(["b"]);
    }),
    behaviour("a session can have more children than fit one page of a list", ["G17"], async (store) => {
      await store.addMessage("p", numbered(1));
      const ids = Array.from({ length: 120 }, (_, n) => `f${n}`);
      await Promise.all(ids.map((newId) => store.forkSession("p", { newId })));
      expect((await store.getChildren("p")).map((child) => child.id).toSorted()).toEqual(ids.toSorted());
    }),
    behaviour("an absent session has no children", ["G16"], async (store) => {
      expect(await store.getChildren("nobody")).toEqual([]);
    }),
    behaviour(
      "a session created under a deleted parent's id is not the parent of its forks",
      ["G13"],
      async (store) => {
        await store.addMessage("p", numbered(1));
        await store.forkSession("p", { newId: "f" });
        await store.deleteSession("p");
        await store.addMessage("p", numbered(1));
        expect(await store.getChildren("p")).toEqual([]);
        expect(await store.getParent("f")).toBeUndefined();
      },
    ),
  ],
};
