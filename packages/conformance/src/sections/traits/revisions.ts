import { append, count, remove } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { untyped } from "../../samples/untyped.js";

export const revisions: Section = {
  name: "revisions and preconditions",
  cases: [
    behaviour("every accepted commit raises the revision by exactly one", ["G5"], async (store) => {
      const results = [
        await store.createSession("s"),
        await store.addMessage("s", numbered(5)),
        await store.updateMessage("s", "m1", user("x")),
        await store.updateSessionMetadata("s", { a: 1 }),
        await store.incrementCounters("s", { a: 1 }),
        await store.patchSession("s", { title: "T" }),
        await store.createSnapshot("s", "mark"),
        await store.removeMessages("s", "m2"),
        await store.popMessage("s"),
        await store.setChatHistory("s", numbered(3)),
        await store.revertToSnapshot("s", "mark"),
        await store.revertToMessage("s", "m3"),
        await store.dropSnapshot("s", "mark"),
        await store.commit("s", [append(user("a")), count({ a: 1 })]),
        await store.updateSession("s", () => count({ a: 1 })),
        await store.clearSession("s"),
      ];
      expect(results.map((result) => result.revision)).toEqual(results.map((_, n) => n + 1));
      expect(await existingSession(store, "s")).toMatchObject({ revision: results.length });
    }),
    behaviour(
      "concurrent commits return different revisions without a gap",
      ["G5"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        const results = await Promise.all(
          Array.from({ length: 90 }, (_, n) => stores[n % 3]?.addMessage("s", user(`${n}`))),
        );
        const returned = results.map((result) => result?.revision ?? 0).toSorted((a, b) => a - b);
        expect(returned).toEqual(Array.from({ length: 90 }, (_, n) => n + 1));
      },
    ),
    behaviour(
      "a commit is accepted if ifRevision is the current revision, and refused otherwise",
      ["G5"],
      async (store, { open }) => {
        await store.addMessage("s", numbered(1));
        await store.addMessage("s", numbered(1, 2), { ifRevision: 1 });
        const other = await open();
        for (const ifRevision of [0, 1, 3]) {
          await expectUnchanged(store, "s", () =>
            expectError(other.addMessage("s", user("x"), { ifRevision }), "REVISION_CONFLICT", {
              expected: ifRevision,
              actual: 2,
              sessionId: "s",
              retryable: true,
            }),
          );
        }
      },
    ),
    behaviour("ifRevision 0 matches an absent session", ["G5"], async (store) => {
      await expectError(store.addMessage("s", user("x"), { ifRevision: 1 }), "REVISION_CONFLICT", {
        expected: 1,
        actual: 0,
      });
      expect(await store.addMessage("s", user("x"), { ifRevision: 0 })).toMatchObject({ revision: 1 });
    }),
    behaviour(
      "of many concurrent commits with one ifRevision exactly one is accepted",
      ["G5", "G4"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        await store.createSession("s");
        const tries = Array.from({ length: 12 }, (_, n) =>
          stores[n % 3]?.addMessage("s", user(`${n}`), { ifRevision: 1 }),
        );
        const results = await Promise.allSettled(tries);
        expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
        expect(await existingSession(store, "s")).toMatchObject({ revision: 2, messageCount: 1 });
      },
    ),
    behaviour("of two commits with ifAbsent only the first is accepted", ["G5"], async (store) => {
      await store.addMessage("s", user("first"), { ifAbsent: true });
      await expectUnchanged(store, "s", () =>
        expectError(store.addMessage("s", user("x"), { ifAbsent: true }), "SESSION_EXISTS"),
      );
    }),
    behaviour("a commit with ifIdle is TURN_BUSY while a turn runs", ["G7"], async (store, { open }) => {
      const turn = await startTurn(store, "s", { turnId: "t1" });
      const other = await open();
      await expectError(other.addMessage("s", user("x"), { ifIdle: true }), "TURN_BUSY", { turnId: "t1" });
      await other.addMessage("s", user("unconditional"));
      await turn.complete();
      await other.addMessage("s", user("idle"), { ifIdle: true });
    }),
    behaviour("every mutator takes ifRevision", ["G5"], async (store) => {
      await eventfulSession(store, "s");
      const ifRevision = 1;
      const tries = [
        () => store.addMessage("s", user("x"), { ifRevision }),
        () => store.setChatHistory("s", [user("x")], { ifRevision }),
        () => store.updateMessage("s", "r1", user("x"), { ifRevision }),
        () => store.removeMessages("s", "r1", { ifRevision }),
        () => store.popMessage("s", { ifRevision }),
        () => store.clearSession("s", { ifRevision }),
        () => store.updateSessionMetadata("s", { a: 1 }, { ifRevision }),
        () => store.incrementCounters("s", { a: 1 }, { ifRevision }),
        () => store.patchSession("s", { title: "x" }, { ifRevision }),
        () => store.createSnapshot("s", "x", { ifRevision }),
        () => store.revertToSnapshot("s", "whole", { ifRevision }),
        () => store.revertToMessage("s", "r1", { ifRevision }),
        () => store.dropSnapshot("s", "whole", { ifRevision }),
        () => store.archiveMessages("s", {}, { ifRevision }),
        () => store.commit("s", count({ a: 1 }), { ifRevision }),
        () => store.updateSession("s", () => count({ a: 1 }), { ifRevision }),
        () => store.deleteSession("s", { ifRevision }),
      ];
      await expectUnchanged(store, "s", async () => {
        for (const attempt of tries) await expectError(attempt, "REVISION_CONFLICT", { expected: 1 });
      });
    }),
    behaviour(
      "a repeat by commit id is recognised before ifRevision is compared",
      ["G5", "G6"],
      async (store) => {
        const send = (): Promise<unknown> =>
          store.addMessage("s", user("x"), { commitId: "c1", ifRevision: 0 });
        await send();
        await store.addMessage("s", user("later"));
        expect(await send()).toMatchObject({ duplicate: true, revision: 1 });
      },
    ),
    behaviour(
      "an absent session is SESSION_NOT_FOUND before ifRevision is compared",
      ["G5"],
      async (store) => {
        await expectError(store.patchSession("s", { title: "T" }, { ifRevision: 3 }), "SESSION_NOT_FOUND");
      },
    ),
    behaviour("a stale fence is TURN_LOST before ifRevision is compared", ["G7"], async (store) => {
      await store.addMessage("s", user("x"));
      await expectError(store.addMessage("s", user("y"), { fence: "1.gone", ifRevision: 9 }), "TURN_LOST");
    }),
    behaviour("a commit with a stale fence creates no session", ["G7", "G17"], async (store) => {
      await expectError(store.addMessage("s", user("y"), { fence: "1.gone" }), "TURN_LOST");
      expect(await store.sessionExists("s")).toBe(false);
    }),
    behaviour("ifRevision is compared before the operations are applied", ["G5"], async (store) => {
      await store.addMessage("s", numbered(1));
      await expectError(store.commit("s", remove("m9"), { ifRevision: 9 }), "REVISION_CONFLICT");
    }),
    behaviour(
      "a session that begins after a deletion continues the revisions of the deleted one",
      ["G5"],
      async (store, { open }) => {
        for (const n of [1, 2, 3]) await store.addMessage("s", numbered(1, n));
        await store.deleteSession("s");
        expect((await (await open()).addMessage("s", user("x"))).revision).toBe(5);
      },
    ),
    behaviour("a precondition of a wrong type is refused", [], async (store) => {
      await store.addMessage("s", numbered(1));
      for (const options of [
        { ifRevision: "1" },
        { ifRevision: -1 },
        { commitId: 7 },
        { commitId: "" },
        { fence: 1 },
      ]) {
        await expectError(
          async () => store.addMessage("s", user("x"), untyped<object>(options)),
          "INVALID_ARGUMENT",
        );
      }
    }),
    behaviour(
      "preconditions are checked although a call would change nothing",
      ["G5", "G7"],
      async (store) => {
        await store.addMessage("s", numbered(2));
        const same = await store.getChatHistory("s");
        await expectUnchanged(store, "s", async () => {
          await expectError(store.setChatHistory("s", same, { ifRevision: 99 }), "REVISION_CONFLICT", {
            actual: 1,
          });
          await expectError(store.setChatHistory("s", same, { ifAbsent: true }), "SESSION_EXISTS");
          await expectError(
            store.updateSession("s", () => undefined, { fence: "1.stale" }),
            "TURN_LOST",
          );
          expect(await store.setChatHistory("s", same, { ifRevision: 1 })).toMatchObject({ duplicate: true });
        });
      },
    ),
  ],
};
