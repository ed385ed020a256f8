import { append, count, SessionError, type SessionStore, type Turn } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { untilWaiting } from "../../assertions/until-waiting.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { turnDrafts } from "./turn-drafts.js";
import { turnTakeover } from "./turn-takeover.js";

const WAIT_MS = 30_000;

async function untilExpired(store: SessionStore): Promise<void> {
  await eventually(async () =>
    expect((await existingSession(store, "s")).turn).toMatchObject({ status: "expired" }),
  );
}

export const turns: Section = {
  name: "turns",
  cases: [
    behaviour("the end of a turn and its last operations are one commit", ["G2", "G5"], async (store) => {
      const turn = await startTurn(store, "s", { turnId: "t1", messages: user("go") });
      const ended = await turn.complete([append(assistant("done")), count({ turns: 1 })]);
      expect(ended).toMatchObject({ revision: 2, duplicate: false, messages: [{ content: "done" }] });
      const session = await existingSession(store, "s");
      expect(session).toMatchObject({
        revision: 2,
        counters: { turns: 1 },
        lastTurn: { turnId: "t1", outcome: "completed" },
      });
      expect(session).not.toHaveProperty("turn");
    }),
    behaviour("a turn can append drafts, extend them and finish them", ["G9"], async (store) => {
      const turn = await startTurn(store, "s", { messages: user("go") });
      await turn.append(assistant("One", { id: "d", status: "partial" }));
      for (const text of [", two", ", three"]) await turn.extend("d", { text });
      expect((await store.getChatHistory("s"))[1]).toMatchObject({
        content: "One, two, three",
        status: "partial",
      });
      await turn.complete([{ op: "extend", messageId: "d", text: ".", status: "complete" }]);
      const [, draft] = await store.getChatHistory("s");
      expect(draft?.content).toBe("One, two, three.");
      expect(draft).not.toHaveProperty("status");
    }),
    behaviour(
      "a failed turn records its error, interrupts its drafts, and can begin again",
      ["G7"],
      async (store) => {
        const turn = await startTurn(store, "s", { turnId: "t1", messages: user("go") });
        await turn.append(assistant("dra", { status: "partial" }));
        await turn.fail(new Error("no model"), [count({ failures: 1 })]);
        const session = await existingSession(store, "s");
        expect(session.lastTurn).toMatchObject({
          turnId: "t1",
          outcome: "failed",
          error: expect.stringContaining("no model"),
        });
        expect(session).toMatchObject({
          counters: { failures: 1 },
          messages: [{}, { status: "interrupted" }],
        });
        const again = await startTurn(store, "s", { turnId: "t1", messages: user("go") });
        await again.complete();
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "dra"]);
      },
    ),
    behaviour("a released turn is not recorded and can begin again", ["G7"], async (store) => {
      await store.addMessage("s", numbered(1));
      const turn = await startTurn(store, "s", { turnId: "t1" });
      await turn.release();
      const session = await existingSession(store, "s");
      for (const trace of ["turn", "lastTurn"]) expect(session).not.toHaveProperty(trace);
      await startTurn(store, "s", { turnId: "t1" });
    }),
    behaviour("ending a turn a second time is TURN_LOST", ["G7"], async (store) => {
      const turn = await startTurn(store, "s");
      await turn.complete();
      await expectError(turn.complete(), "TURN_LOST");
      await expectError(turn.fail(new Error("late")), "TURN_LOST");
      expect((await existingSession(store, "s")).lastTurn).toMatchObject({ outcome: "completed" });
    }),
    behaviour("renewing a turn extends its lease and changes nothing else", ["G5"], async (store) => {
      const turn = await startTurn(store, "s", { renew: false, ttlMs: 60_000 });
      const before = await existingSession(store, "s");
      await eventually(async () => {
        await turn.renew();
        expect((await existingSession(store, "s")).turn?.expiresAt).toBeGreaterThan(
          before.turn?.expiresAt ?? 0,
        );
      });
      const after = await existingSession(store, "s");
      expect({ ...after, turn: undefined }).toEqual({ ...before, turn: undefined });
      expect(turn.expiresAt).toBe(after.turn?.expiresAt);
    }),
    behaviour("a running turn renews itself", ["G5", "G7"], async (store) => {
      const turn = await startTurn(store, "s", { ttlMs: 3_000 });
      const first = turn.expiresAt;
      await eventually(async () =>
        expect((await existingSession(store, "s")).turn?.expiresAt).toBeGreaterThan(first + 300),
      );
      expect(turn.signal.aborted).toBe(false);
      expect(await existingSession(store, "s")).toMatchObject({ revision: 1, turn: { status: "running" } });
      await turn.complete();
    }),
    behaviour(
      "an expired turn that was not taken over can still be renewed and completed",
      ["G7"],
      async (store, { open }) => {
        const turn = await startTurn(store, "s", { ttlMs: 20, renew: false, turnId: "t1" });
        await untilExpired(store);
        await (await open()).addMessage("s", assistant("late, but current"), { fence: turn.token });
        await turn.renew();
        await turn.complete([append(assistant("done"))]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["late, but current", "done"]);
      },
    ),
    behaviour(
      "taking over an expired turn interrupts its drafts in the same commit",
      ["G7", "G2"],
      async (store, { open }) => {
        const crashed = await startTurn(store, "s", {
          ttlMs: 20,
          renew: false,
          turnId: "t1",
          messages: user("go"),
        });
        await crashed.append(assistant("dra", { id: "d", status: "partial" }));
        await untilExpired(store);
        const { revision } = await existingSession(store, "s");
        const begun = await (await open()).beginTurn("s", { turnId: "t2" });
        expect(begun).toMatchObject({
          status: "begun",
          session: { revision: revision + 1, lastTurn: { turnId: "t1", outcome: "interrupted" } },
        });
        expect(begun.session.messages).toMatchObject([{ content: "go" }, { id: "d", status: "interrupted" }]);
        await expectError(crashed.extend("d", { text: "ft" }), "TURN_LOST");
        await eventually(() => expect(crashed.signal.aborted).toBe(true));
      },
    ),
    behaviour(
      "of many concurrent takeovers of an expired turn exactly one succeeds",
      ["G7"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        await startTurn(store, "s", { ttlMs: 20, renew: false });
        await untilExpired(store);
        const tries = await Promise.allSettled(
          Array.from({ length: 9 }, (_, n) => stores[n % 3]?.beginTurn("s", { turnId: `t${n}` })),
        );
        expect(tries.filter((result) => result.status === "fulfilled")).toHaveLength(1);
        for (const result of tries)
          if (result.status === "rejected") expect(SessionError.is(result.reason, "TURN_BUSY")).toBe(true);
      },
    ),
    behaviour(
      "the messages of a crashed turn are not added again when it runs again",
      ["G6"],
      async (store, { open }) => {
        const options = { turnId: "t1", messages: [user("go"), user("now")] };
        const crashed = await startTurn(store, "s", { ...options, ttlMs: 20, renew: false });
        await crashed.append(assistant("dra", { status: "partial" }));
        const again = await startTurn(await open(), "s", { ...options, waitMs: WAIT_MS });
        await again.complete([append(assistant("done"))]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "now", "dra", "done"]);
      },
    ),
    behaviour(
      "waiting turns begin in the order in which they were requested, on any instance",
      ["G18"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        const first = await startTurn(store, "s");
        const order: number[] = [];
        const running: Promise<void>[] = [];
        for (const [n, one] of [...stores, ...stores].entries()) {
          const waiting = one.runTurn("s", { waitMs: WAIT_MS, owner: `${n}` }, () => {
            order.push(n);
            return append(assistant(`${n}`));
          });
          running.push(waiting.then(() => undefined));
          await untilWaiting(store, n + 1);
        }
        await first.complete();
        await Promise.all(running);
        expect(order).toEqual([0, 1, 2, 3, 4, 5]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["0", "1", "2", "3", "4", "5"]);
      },
    ),
    behaviour("a new turn does not begin before those that wait", ["G18"], async (store, { open }) => {
      const other = await open();
      const first = await startTurn(store, "s");
      const waiting = startTurn(other, "s", { turnId: "waiter", waitMs: WAIT_MS });
      await untilWaiting(store, 1);
      await first.complete();
      const hasty = store.beginTurn("s", { turnId: "hasty" });
      const outcome = await hasty.catch((error: unknown) => error);
      const next = await waiting;
      if (SessionError.is(outcome)) expect(outcome.code).toBe("TURN_BUSY");
      else expect.unreachable("the new turn began before the waiting one");
      await next.complete();
    }),
    behaviour("waiting for a turn in vain does not add its messages", ["G4"], async (store) => {
      const turn = await startTurn(store, "s", { messages: user("go") });
      await expectError(store.beginTurn("s", { waitMs: 20, messages: user("never") }), "TURN_BUSY");
      await turn.complete();
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go"]);
    }),
    behaviour(
      "waiting for a turn that is completed meanwhile is a duplicate",
      ["G6"],
      async (store, { open }) => {
        const turn = await startTurn(store, "s", { turnId: "t1" });
        const same = (await open()).beginTurn("s", { turnId: "t1", waitMs: WAIT_MS });
        await untilWaiting(store, 1);
        await turn.complete();
        expect(await same).toMatchObject({ status: "duplicate", turnId: "t1" });
        expect(await existingSession(store, "s")).not.toHaveProperty("turn");
      },
    ),
    behaviour("a turn that a forced replace has ended cannot complete", ["G7"], async (store, { open }) => {
      const turn = await startTurn(store, "s", { messages: user("old") });
      await (await open()).setChatHistory("s", [user("fresh start")], { force: true });
      await expectError(turn.complete([append(assistant("answer to the old"))]), "TURN_LOST");
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["fresh start"]);
    }),
    behaviour("the holder of a turn can replace the history and pop messages", ["G7"], async (store) => {
      await store.addMessage("s", numbered(2));
      const turn = await startTurn(store, "s", { messages: user("go") });
      await store.setChatHistory("s", [user("compacted", { id: "c" })], { fence: turn.token });
      await store.popMessage("s", { fence: turn.token });
      await turn.complete([append(assistant("done", { id: "d" }))]);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["d"]);
    }),
    behaviour("beginning one of the last 256 finished turns is a duplicate", ["G6"], async (store) => {
      const ids = Array.from({ length: 256 }, (_, n) => `t${n}`);
      for (const turnId of ids) await store.runTurn("s", { turnId }, () => undefined);
      for (const turnId of ids)
        expect(await store.beginTurn("s", { turnId, select: "none" })).toMatchObject({
          status: "duplicate",
        });
    }),
    behaviour("the signal of a turn that its holder has ended does not abort", ["G7"], async (store) => {
      const ended: Turn[] = [];
      for (const end of [
        (turn: Turn) => turn.complete(),
        (turn: Turn) => turn.fail(new Error("x")),
        (turn: Turn) => turn.release(),
      ]) {
        const turn = await startTurn(store, "s");
        await end(turn);
        ended.push(turn);
      }
      await startTurn(store, "s");
      expect(ended.map((turn) => turn.signal.aborted)).toEqual([false, false, false]);
    }),
    behaviour("`await using` releases an interrupted turn", ["G7"], async (store, { open }) => {
      {
        await using turn = await startTurn(store, "s", { ttlMs: 60_000 });
        await (await open()).interruptTurn("s");
        await eventually(() => expect(turn.signal.aborted).toBe(true));
      }
      expect(await existingSession(store, "s")).not.toHaveProperty("turn");
      await (await startTurn(store, "s")).complete();
    }),
    ...turnDrafts,
    ...turnTakeover,
  ],
};
