import { count } from "@sessions/protocol";
import { expect } from "vitest";
import { errorOf } from "../../assertions/error-of.js";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { untilWaiting } from "../../assertions/until-waiting.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

const WAIT_MS = 30_000;

export const bounded: Section = {
  name: "bounded",
  cases: [
    behaviour("waiting for a turn ends with TURN_BUSY at its deadline", ["G18"], async (store, { open }) => {
      await startTurn(store, "s", { turnId: "t1", owner: "worker 1" });
      const waiting = (await open()).beginTurn("s", { waitMs: 30 });
      await expectError(waiting, "TURN_BUSY", { retryable: true, turnId: "t1" });
      await eventually(async () =>
        expect((await existingSession(store, "s")).turn).toMatchObject({ turnId: "t1", waiting: 0 }),
      );
    }),
    behaviour("a waiter that gave up does not block those behind it", ["G18"], async (store, { open }) => {
      const other = await open();
      const turn = await startTurn(store, "s");
      await expectError(other.beginTurn("s", { waitMs: 20 }), "TURN_BUSY");
      const next = other.beginTurn("s", { waitMs: WAIT_MS });
      await turn.complete();
      expect(await next).toMatchObject({ status: "begun" });
    }),
    behaviour("the ticket of a crashed waiter expires", ["G18"], async (store, { openBackend }) => {
      const backend = await openBackend();
      const turn = await startTurn(store, "s");
      const ticket = { op: "turn", action: "queue", ticket: "ghost", turnId: "ghost", ttlMs: 80 } as const;
      await backend.commit([{ sessionId: "s", id: "queue ghost", at: Date.now(), ops: [ticket] }]);
      const next = store.beginTurn("s", { waitMs: WAIT_MS });
      await turn.complete();
      expect(await next).toMatchObject({ status: "begun" });
    }),
    behaviour("a crashed holder blocks others no longer than its lease", ["G18"], async (store, { open }) => {
      await startTurn(store, "s", { ttlMs: 50, renew: false, turnId: "crashed" });
      const next = await startTurn(await open(), "s", { waitMs: WAIT_MS, turnId: "next" });
      expect(next.turnId).toBe("next");
      expect((await existingSession(store, "s")).lastTurn).toMatchObject({
        turnId: "crashed",
        outcome: "interrupted",
      });
    }),
    behaviour(
      "a computed change is applied although other commits come before it twenty times",
      ["G18"],
      async (store, { open }) => {
        const other = await open();
        await store.createSession("s");
        let rounds = 0;
        const computing = store.updateSession("s", () => {
          rounds += 1;
          // Another instance commits before this change, twenty times in a row.
          if (rounds <= 20) void other.incrementCounters("s", { others: 1 }).catch(() => undefined);
          return count({ mine: 1 });
        });
        await computing;
        expect((await existingSession(store, "s")).counters["mine"]).toBe(1);
      },
    ),
    behaviour("the last messages of a long session are read exactly", ["G18"], async (store) => {
      for (let n = 0; n < 10; n++) await store.addMessage("s", numbered(1000, n * 1000 + 1));
      const expected = Array.from({ length: 20 }, (_, n) => `m${9981 + n}`);
      expect(idsOf(await store.getChatHistory("s", { limit: 20 }))).toEqual(expected);
      expect(idsOf((await existingSession(store, "s", { messages: { last: 20 } })).messages)).toEqual(
        expected,
      );
      expect(await store.addMessage("s", user("x"))).toMatchObject({ revision: 11 });
      const page = await store.getChatHistory("s", { before: "m5001", limit: 2 });
      expect(idsOf(page)).toEqual(["m4999", "m5000"]);
    }),
    behaviour("a message is found at any position of a long session", ["G18"], async (store) => {
      await store.addMessage("s", numbered(5000));
      await store.archiveMessages("s", { keepRecent: 1000 });
      expect(idsOf(await store.getMessages("s", ["m1", "m4000", "m4001", "m5000"]))).toEqual([
        "m1",
        "m4000",
        "m4001",
        "m5000",
      ]);
      await store.updateMessage("s", "m4500", user("changed"));
      expect(await store.getMessages("s", ["m4500"])).toMatchObject([{ content: "changed" }]);
    }),
    behaviour("an aborted wait for a turn ends at once", ["G18"], async (store) => {
      await startTurn(store, "s");
      const controller = new AbortController();
      const waiting = store.beginTurn("s", { waitMs: 600_000, signal: controller.signal });
      await untilWaiting(store, 1);
      controller.abort(new Error("enough"));
      expect(await errorOf(waiting)).toBeInstanceOf(Error);
      await untilWaiting(store, 0);
    }),
  ],
};
