import type { SessionBundle, SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../../assertions/existing-session.js";
import { expectError } from "../../../assertions/expect-error.js";
import { behaviour } from "../../../behaviour.js";
import type { Case } from "../../../case.js";
import { contentsOf, idsOf, numbered, user } from "../../../samples/messages.js";

const CREATIONS: readonly (readonly [
  string,
  (store: SessionStore, bundle: SessionBundle) => Promise<unknown>,
])[] = [
  ["an append", (store) => store.addMessage("s", numbered(2))],
  ["createSession", (store) => store.createSession("s", { messages: numbered(2) })],
  ["an import", (store, bundle) => store.importSession(bundle)],
  ["a fork", (store) => store.forkSession("parent", { newId: "s" })],
  ["a turn", (store) => store.runTurn("s", {}, () => [{ op: "append", messages: numbered(2) }])],
];

/** Cases about a base from another incarnation of the session, or from a bundle. */
export const incarnationCases: readonly Case[] = [
  ...CREATIONS.map(([how, create]) =>
    behaviour(
      `a base from before a deletion is a conflict in a session that ${how} has created since`,
      ["G5", "G16"],
      async (store, { open }) => {
        const other = await open();
        await other.createSession("parent", { messages: numbered(2) });
        for (const n of [1, 2, 3]) await store.addMessage("s", user(`${n}`));
        const base = (await existingSession(store, "s")).revision;
        const bundle = await store.exportSession("s");
        await other.deleteSession("s");
        await create(other, bundle);
        const before = await existingSession(store, "s");
        await expectError(store.setChatHistory("s", [user("old")], { base }), "REVISION_CONFLICT");
        expect(await existingSession(store, "s")).toEqual(before);
        await other.addMessage("s", user("theirs"));
        await store.setChatHistory("s", [user("mine")], { base: before.revision });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["mine", "theirs"]);
      },
    ),
  ),
  behaviour("a base in a deleted session is a conflict", ["G5"], async (store, { open }) => {
    await store.addMessage("s", numbered(2));
    await (await open()).deleteSession("s");
    await expectError(store.setChatHistory("s", numbered(1), { base: 1 }), "REVISION_CONFLICT", {
      expected: 1,
      actual: 0,
    });
    expect(await store.sessionExists("s")).toBe(false);
  }),
  behaviour("base 0 is the base of an absent session", ["G4"], async (store, { open }) => {
    await store.setChatHistory("a", numbered(1), { base: 0 });
    expect(idsOf(await store.getChatHistory("a"))).toEqual(["m1"]);
    await (await open()).addMessage("b", user("theirs", { id: "t" }));
    await store.setChatHistory("b", numbered(1), { base: 0 });
    expect(idsOf(await store.getChatHistory("b"))).toEqual(["m1", "t"]);
  }),
  behaviour("a base greater than the session's revision is INVALID_ARGUMENT", ["G5"], async (store) => {
    await store.addMessage("s", numbered(2));
    await expectError(store.setChatHistory("s", [user("x")], { base: 9 }), "INVALID_ARGUMENT", {
      path: "options.base",
    });
    expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2"]);
  }),
  behaviour(
    "an imported session knows at which revision its messages were last rewritten",
    ["G5"],
    async (store, { openElsewhere }) => {
      await store.addMessage("s", numbered(3));
      await store.removeMessages("s", "m2");
      await store.addMessage("s", user("theirs", { id: "t" }));
      const elsewhere = await openElsewhere();
      await elsewhere.importSession(await store.exportSession("s"));
      await expectError(elsewhere.setChatHistory("s", numbered(1), { base: 1 }), "REVISION_CONFLICT");
      await elsewhere.setChatHistory("s", numbered(1), { base: 2 });
      expect(idsOf(await elsewhere.getChatHistory("s"))).toEqual(["m1", "t"]);
    },
  ),
  behaviour(
    "a bundle without `rewrittenAt` counts as rewritten at its own revision",
    ["G5", "G20"],
    async (store, { openElsewhere }) => {
      for (const n of [1, 2]) await store.addMessage("s", numbered(1, n));
      const bundle = await store.exportSession("s");
      const { rewrittenAt: _, ...session } = bundle.session;
      const elsewhere = await openElsewhere();
      await elsewhere.importSession({ ...bundle, session });
      await elsewhere.addMessage("s", user("theirs", { id: "t" }));
      await expectError(elsewhere.setChatHistory("s", numbered(1), { base: 1 }), "REVISION_CONFLICT");
      await elsewhere.setChatHistory("s", numbered(1), { base: 2 });
      expect(idsOf(await elsewhere.getChatHistory("s"))).toEqual(["m1", "t"]);
    },
  ),
  behaviour("a bundle with an invalid `rewrittenAt` is refused", ["G5"], async (store) => {
    await store.addMessage("s", numbered(1));
    const bundle = await store.exportSession("s");
    for (const rewrittenAt of [2, -1, 0.5])
      await expectError(
        store.importSession({ ...bundle, session: { ...bundle.session, rewrittenAt } }, { newId: "n" }),
        "INVALID_ARGUMENT",
        { path: "bundle.session.rewrittenAt" },
      );
    expect(await store.sessionExists("n")).toBe(false);
  }),
  behaviour("a rewrite in the parent is not a conflict in its fork", ["G13"], async (store) => {
    await store.addMessage("s", numbered(3));
    await store.removeMessages("s", "m2");
    await store.forkSession("s", { newId: "f" });
    await store.addMessage("f", user("theirs", { id: "t" }));
    await store.setChatHistory("f", numbered(1), { base: 1 });
    expect(idsOf(await store.getChatHistory("f"))).toEqual(["m1", "t"]);
  }),
  behaviour(
    "a holder who has lost the turn gets TURN_LOST, not a conflict",
    ["G7"],
    async (store, { open }) => {
      await store.addMessage("s", numbered(2));
      const begun = await store.beginTurn("s", { renew: false });
      if (begun.status !== "begun") throw new Error("a new turn begins");
      await (await open()).clearSession("s", { force: true });
      const options = { base: 1, fence: begun.turn.token };
      await expectError(store.setChatHistory("s", numbered(1), options), "TURN_LOST");
    },
  ),
];
