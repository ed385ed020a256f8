import type { SessionTree } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { numbered } from "../../samples/messages.js";

export const getSessionTree: Section = {
  name: "getSessionTree",
  covers: ["getSessionTree"],
  cases: [
    behaviour("a tree has the session, its forks and their forks", ["G13", "G17"], async (store) => {
      await store.addMessage("root", numbered(1));
      for (const newId of ["a", "b"]) await store.forkSession("root", { newId });
      for (const newId of ["a1", "a2"]) await store.forkSession("a", { newId });
      expect(outline(await store.getSessionTree("root"))).toBe("root(a(a1 a2) b)");
      expect(outline(await store.getSessionTree("a"))).toBe("a(a1 a2)");
    }),
    behaviour("a deleted fork is not in the tree", ["G17"], async (store) => {
      await store.addMessage("root", numbered(1));
      for (const newId of ["a", "b"]) await store.forkSession("root", { newId });
      await store.deleteSession("a");
      expect(outline(await store.getSessionTree("root"))).toBe("root(b)");
    }),
    behaviour("a chain of sixty forks is a tree of that depth", ["G13"], async (store) => {
      await store.addMessage("f0", numbered(1));
      for (let n = 1; n <= 60; n++) await store.forkSession(`f${n - 1}`, { newId: `f${n}` });
      let [tree, depth]: [SessionTree | undefined, number] = [await store.getSessionTree("f0"), 0];
      for (; tree !== undefined; tree = tree.children[0]) depth += 1;
      expect(depth).toBe(61);
    }),
    behaviour(
      "a deleted parent that was created again as a fork of its fork is not a cycle",
      ["G13"],
      async (store) => {
        await store.addMessage("a", numbered(1));
        await store.forkSession("a", { newId: "b" });
        await store.deleteSession("a");
        await store.forkSession("b", { newId: "a" });
        expect(outline(await store.getSessionTree("b"))).toBe("b(a)");
        expect(outline(await store.getSessionTree("a"))).toBe("a");
      },
    ),
    behaviour("the tree of an absent session is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.getSessionTree("nobody"), "SESSION_NOT_FOUND", { sessionId: "nobody" });
    }),
  ],
};

function outline(tree: SessionTree): string {
  const children = tree.children.map(outline).toSorted();
  return children.length === 0 ? tree.session.id : `${tree.session.id}(${children.join(" ")})`;
}
