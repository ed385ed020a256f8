import type { BeginTurnOptions } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { untyped } from "../../samples/untyped.js";

export const beginTurn: Section = {
  name: "beginTurn",
  covers: ["beginTurn"],
  cases: [
    behaviour(
      "a turn begins in one commit with its messages, and every instance sees it",
      ["G2", "G5"],
      async (store, { open }) => {
        await store.addMessage("s", numbered(1));
        const begun = await store.beginTurn("s", {
          turnId: "t1",
          owner: "worker 1",
          messages: [user("a"), user("b")],
        });
        expect(begun).toMatchObject({
          status: "begun",
          session: { revision: 2, messages: [{}, { content: "a" }, {}] },
        });
        const session = await existingSession(await open(), "s");
        expect(session.turn).toMatchObject({
          turnId: "t1",
          owner: "worker 1",
          startRevision: 2,
          status: "running",
          interrupted: false,
        });
        expect(session.turn).toMatchObject({ waiting: 0 });
      },
    ),
    behaviour("two attempts at one turn have different start revisions", ["G5"], async (store) => {
      await startTurn(store, "s", { turnId: "t1" });
      const first = (await existingSession(store, "s")).turn;
      await store.interruptTurn("s", { force: true });
      await startTurn(store, "s", { turnId: "t1" });
      const second = (await existingSession(store, "s")).turn;
      expect([first, second]).toMatchObject([{ startRevision: 1 }, { startRevision: 3 }]);
    }),
    behaviour("a turn creates an absent session", ["G5"], async (store) => {
      await startTurn(store, "s");
      expect(await existingSession(store, "s")).toMatchObject({
        revision: 1,
        messages: [],
        turn: { status: "running" },
      });
    }),
    behaviour("the returned session has the selected messages", [], async (store) => {
      await store.addMessage("s", numbered(4));
      const begun = await store.beginTurn("s", { select: { last: 2 }, messages: user("x", { id: "x" }) });
      expect(idsOf(begun.session.messages)).toEqual(["m4", "x"]);
    }),
    behaviour(
      "a second turn is TURN_BUSY, and the error names the running turn and its owner",
      ["G7"],
      async (store, { open }) => {
        await startTurn(store, "s", { turnId: "t1", owner: "worker 1" });
        const fields = { turnId: "t1", owner: "worker 1", retryable: true };
        await expectError(store.beginTurn("s"), "TURN_BUSY", fields);
        await expectError(
          (await open()).beginTurn("s", { turnId: "t2", messages: user("x") }),
          "TURN_BUSY",
          fields,
        );
        expect(await store.getChatHistory("s")).toEqual([]);
      },
    ),
    behaviour("beginning a running turn again is TURN_BUSY", ["G7"], async (store, { open }) => {
      await startTurn(store, "s", { turnId: "t1" });
      await expectError((await open()).beginTurn("s", { turnId: "t1" }), "TURN_BUSY", { turnId: "t1" });
    }),
    behaviour(
      "beginning a finished turn is a duplicate: nothing is appended and no turn runs",
      ["G6"],
      async (store, { open }) => {
        const turn = await startTurn(store, "s", { turnId: "t1", messages: user("once") });
        await turn.complete();
        const again = await (await open()).beginTurn("s", { turnId: "t1", messages: user("once") });
        expect(again).toMatchObject({
          status: "duplicate",
          turnId: "t1",
          session: { messages: [{ content: "once" }] },
        });
        const session = await existingSession(store, "s");
        expect(contentsOf(session.messages)).toEqual(["once"]);
        expect(session).not.toHaveProperty("turn");
      },
    ),
    behaviour(
      "beginning a finished turn is a duplicate even while another turn runs",
      ["G6"],
      async (store) => {
        await (await startTurn(store, "s", { turnId: "t1" })).complete();
        await startTurn(store, "s", { turnId: "t2" });
        expect(await store.beginTurn("s", { turnId: "t1" })).toMatchObject({
          status: "duplicate",
          turnId: "t1",
        });
      },
    ),
    behaviour("turns on different sessions do not affect each other", [], async (store) => {
      const [one, two] = [await startTurn(store, "a"), await startTurn(store, "b")];
      await one.complete();
      await two.complete();
      expect((await existingSession(store, "b")).lastTurn).toMatchObject({ outcome: "completed" });
    }),
    behaviour("`await using` releases a turn that was not ended", ["G7"], async (store) => {
      {
        await using _turn = await startTurn(store, "s", { turnId: "t1" });
        expect((await existingSession(store, "s")).turn).toMatchObject({ turnId: "t1" });
      }
      const session = await existingSession(store, "s");
      for (const trace of ["turn", "lastTurn"]) expect(session).not.toHaveProperty(trace);
      await startTurn(store, "s", { turnId: "t1" });
    }),
    behaviour("options of a wrong type are refused, and no turn begins", ["G2"], async (store) => {
      const wrong = [
        { ttlMs: 0 },
        { ttlMs: "long" },
        { waitMs: -1 },
        { turnId: 7 },
        { turnId: "" },
        { messages: [{}] },
      ];
      for (const options of wrong) {
        await expectError(store.beginTurn("s", untyped<BeginTurnOptions>(options)), "INVALID_ARGUMENT");
      }
      expect(await store.sessionExists("s")).toBe(false);
    }),
  ],
};
