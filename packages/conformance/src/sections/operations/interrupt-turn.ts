import { count, type MutationResult, SessionError } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

export const interruptTurn: Section = {
  name: "interruptTurn",
  covers: ["interruptTurn"],
  cases: [
    behaviour(
      "an interruption from any instance aborts the signal of the turn",
      ["G7"],
      async (store, { open }) => {
        const turn = await startTurn(store, "s", { turnId: "t1" });
        expect(turn.signal.aborted).toBe(false);
        expect(await (await open()).interruptTurn("s")).toMatchObject({ duplicate: false, revision: 2 });
        await eventually(() => expect(turn.signal.aborted).toBe(true));
        expect(SessionError.is(turn.signal.reason, "TURN_LOST")).toBe(true);
        expect(turn.signal.reason).toMatchObject({ reason: "interrupted" });
        expect((await existingSession(store, "s")).turn).toMatchObject({ turnId: "t1", interrupted: true });
      },
    ),
    behaviour(
      "the holder of an interrupted turn may still write and complete it",
      ["G7"],
      async (store, { open }) => {
        const turn = await startTurn(store, "s", { messages: user("go") });
        await (await open()).interruptTurn("s");
        await eventually(() => expect(turn.signal.aborted).toBe(true));
        await turn.append(assistant("as far as I got", { status: "interrupted" }));
        await turn.complete();
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "as far as I got"]);
      },
    ),
    behaviour(
      "a holder can end its turn as interrupted, and a repeat of that is a duplicate",
      ["G6", "G7"],
      async (store) => {
        const turn = await startTurn(store, "s", { turnId: "t1", messages: user("go") });
        await turn.append(assistant("dra", { status: "partial" }));
        const stopped = (): Promise<MutationResult> =>
          turn.fail(new Error("stopped"), [count({ stops: 1 })], { outcome: "interrupted", commitId: "end" });
        expect(await stopped()).toMatchObject({ duplicate: false, revision: 3 });
        expect(await stopped()).toMatchObject({ duplicate: true, revision: 3 });
        const session = await existingSession(store, "s");
        const lastTurn = { turnId: "t1", outcome: "interrupted", error: "Error: stopped" };
        expect(session).toMatchObject({ lastTurn, counters: { stops: 1 } });
        expect(session.messages).toMatchObject([{}, { status: "interrupted" }]);
        expect(turn.signal.aborted).toBe(false);
        await startTurn(store, "s", { turnId: "t1" });
      },
    ),
    behaviour(
      "a forced interruption ends the turn at once, interrupts its drafts and fences its holder off",
      ["G7"],
      async (store, { open }) => {
        const turn = await startTurn(store, "s", { turnId: "t1", messages: user("go") });
        await turn.append(assistant("dra", { status: "partial" }));
        await (await open()).interruptTurn("s", { force: true });
        const session = await existingSession(store, "s");
        expect(session).not.toHaveProperty("turn");
        expect(session).toMatchObject({ lastTurn: { turnId: "t1", outcome: "interrupted" } });
        expect(session.messages).toMatchObject([{}, { status: "interrupted" }]);
        await expectError(turn.append(assistant("late")), "TURN_LOST");
        await eventually(() => expect(turn.signal.aborted).toBe(true));
        await startTurn(store, "s", { turnId: "t1" });
      },
    ),
    behaviour("interrupting a session without that turn changes nothing", ["G5"], async (store) => {
      await store.addMessage("s", user("x"));
      await expectUnchanged(store, "s", async () => {
        expect(await store.interruptTurn("s")).toMatchObject({ duplicate: true, revision: 1 });
      });
      const turn = await startTurn(store, "s", { turnId: "t1" });
      for (const force of [false, true])
        await expectUnchanged(store, "s", async () => {
          const asked = store.interruptTurn("s", { turnId: "t0", force });
          expect(await asked).toMatchObject({ duplicate: true });
        });
      await turn.complete();
    }),
    behaviour("interrupting a turn twice is one commit", ["G5"], async (store) => {
      await startTurn(store, "s", { turnId: "t1" });
      await store.interruptTurn("s", { turnId: "t1" });
      expect(await store.interruptTurn("s", { turnId: "t1" })).toMatchObject({
        duplicate: true,
        revision: 2,
      });
    }),
  ],
};
