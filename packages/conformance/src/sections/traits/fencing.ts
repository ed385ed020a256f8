import { append, count, type ForcibleOptions, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { assistant, contentsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

type Write = (store: SessionStore, fence: string) => Promise<unknown>;

const fenced: Readonly<Record<string, Write>> = {
  addMessage: (store, fence) => store.addMessage("s", user("late"), { fence }),
  setChatHistory: (store, fence) => store.setChatHistory("s", [user("late")], { fence }),
  updateMessage: (store, fence) => store.updateMessage("s", "r1", user("late"), { fence }),
  removeMessages: (store, fence) => store.removeMessages("s", "r1", { fence }),
  popMessage: (store, fence) => store.popMessage("s", { fence }),
  clearSession: (store, fence) => store.clearSession("s", { fence }),
  updateSessionMetadata: (store, fence) => store.updateSessionMetadata("s", { late: 1 }, { fence }),
  incrementCounters: (store, fence) => store.incrementCounters("s", { late: 1 }, { fence }),
  patchSession: (store, fence) => store.patchSession("s", { title: "late" }, { fence }),
  createSnapshot: (store, fence) => store.createSnapshot("s", "late", { fence }),
  revertToSnapshot: (store, fence) => store.revertToSnapshot("s", "whole", { fence }),
  revertToMessage: (store, fence) => store.revertToMessage("s", "r1", { fence }),
  dropSnapshot: (store, fence) => store.dropSnapshot("s", "whole", { fence }),
  archiveMessages: (store, fence) => store.archiveMessages("s", {}, { fence }),
  settleArchive: (store, fence) => store.settleArchive("s", "a1", { summary: "late" }, { fence }),
  deleteSession: (store, fence) => store.deleteSession("s", { fence }),
  interruptTurn: (store, fence) => store.interruptTurn("s", { fence }),
  commit: (store, fence) => store.commit("s", [append(user("late")), count({ late: 1 })], { fence }),
  updateSession: (store, fence) => store.updateSession("s", () => count({ late: 1 }), { fence }),
};

/** Methods that can remove the messages of a running turn. */
const REMOVING = [
  "clearSession",
  "popMessage",
  "setChatHistory",
  "revertToMessage",
  "revertToSnapshot",
] as const;

const removing: Readonly<
  Record<(typeof REMOVING)[number], (store: SessionStore, options: ForcibleOptions) => Promise<unknown>>
> = {
  clearSession: (store, options) => store.clearSession("s", options),
  popMessage: (store, options) => store.popMessage("s", options),
  setChatHistory: (store, options) => store.setChatHistory("s", [user("x")], options),
  revertToMessage: (store, options) => store.revertToMessage("s", "m1", options),
  revertToSnapshot: (store, options) => store.revertToSnapshot("s", "two", options),
};

export const fencing: Section = {
  name: "fencing",
  cases: [
    ...Object.entries(fenced).map(([method, write]) =>
      behaviour(`${method} with the token of an ended turn is TURN_LOST`, ["G7"], async (store, { open }) => {
        await eventfulSession(store, "s");
        const turn = await startTurn(store, "s");
        await turn.complete();
        const other = await open();
        await expectUnchanged(store, "s", () =>
          expectError(write(other, turn.token), "TURN_LOST", { sessionId: "s" }),
        );
        await startTurn(store, "s", { turnId: "the next" });
        await expectUnchanged(store, "s", () => expectError(write(other, turn.token), "TURN_LOST"));
      }),
    ),
    behaviour(
      "another instance can write with the token of a running turn",
      ["G7"],
      async (store, { open }) => {
        const turn = await startTurn(store, "s", { messages: user("go") });
        const other = await open();
        await other.addMessage("s", assistant("from there"), { fence: turn.token });
        await other.setChatHistory("s", [user("go"), assistant("rewritten")], { fence: turn.token });
        await turn.complete([append(assistant("from here"))]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "rewritten", "from here"]);
      },
    ),
    behaviour(
      "every write of a turn that was ended by force is TURN_LOST",
      ["G7"],
      async (store, { open }) => {
        const turn = await startTurn(store, "s", { renew: false });
        await turn.append(assistant("dra", { id: "d", status: "partial" }));
        await (await open()).interruptTurn("s", { force: true });
        await expectUnchanged(store, "s", async () => {
          await expectError(turn.append(user("late")), "TURN_LOST");
          await expectError(turn.extend("d", { text: "ft" }), "TURN_LOST");
          await expectError(turn.commit([count({ late: 1 })]), "TURN_LOST");
          await expectError(turn.renew(), "TURN_LOST");
          await expectError(turn.complete([append(user("late"))]), "TURN_LOST");
        });
      },
    ),
    behaviour("a holder whose turn was taken over cannot write", ["G7"], async (store, { open }) => {
      const late = await startTurn(store, "s", {
        ttlMs: 20,
        renew: false,
        turnId: "t1",
        messages: user("go"),
      });
      const next = await startTurn(await open(), "s", { turnId: "t2", waitMs: 30_000 });
      await expectUnchanged(store, "s", async () => {
        await expectError(late.append(assistant("late")), "TURN_LOST");
        await expectError(late.complete(), "TURN_LOST");
      });
      await eventually(() => expect(late.signal.aborted).toBe(true));
      await next.complete();
    }),
    behaviour(
      "ending a turn again with the same commit id is a duplicate, not TURN_LOST",
      ["G6", "G7"],
      async (store) => {
        const turn = await startTurn(store, "s");
        const end = (): ReturnType<typeof turn.complete> =>
          turn.complete([append(assistant("done"))], { commitId: "end" });
        const first = await end();
        expect(await end()).toEqual({ ...first, duplicate: true });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["done"]);
      },
    ),
    behaviour("two turns never have the same token", ["G7"], async (store) => {
      const tokens: string[] = [];
      for (let n = 0; n < 5; n++) {
        const turn = await startTurn(store, "s", { turnId: "t1" });
        tokens.push(turn.token);
        await turn.release();
      }
      await store.deleteSession("s");
      tokens.push((await startTurn(store, "s", { turnId: "t1" })).token);
      expect(new Set(tokens).size).toBe(6);
    }),
    behaviour("deleting a session ends its turn", ["G7"], async (store, { open }) => {
      const turn = await startTurn(store, "s");
      await (await open()).deleteSession("s");
      await expectError(turn.append(user("late")), "TURN_LOST", { reason: "session-gone" });
      expect(await store.sessionExists("s")).toBe(false);
      await store.addMessage("s", user("another session"));
      await expectError(turn.append(user("late")), "TURN_LOST");
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["another session"]);
    }),
    ...REMOVING.map((method) =>
      behaviour(
        `${method} by the holder of the turn succeeds, and the turn goes on`,
        ["G7"],
        async (store) => {
          await store.addMessage("s", numbered(2));
          await store.createSnapshot("s", "two");
          const turn = await startTurn(store, "s", { turnId: "t1", messages: user("go", { id: "q" }) });
          await removing[method](store, { fence: turn.token });
          const session = await existingSession(store, "s");
          expect(session.messages.map((message) => message.id)).not.toContain("q");
          expect(session.turn).toMatchObject({ turnId: "t1" });
          await turn.complete([append(assistant("done", { id: "d" }))]);
          expect((await existingSession(store, "s")).messages.at(-1)).toMatchObject({ id: "d" });
        },
      ),
    ),
    ...REMOVING.map((method) =>
      behaviour(
        `${method} without the turn's token is TURN_BUSY, and with force it ends the turn`,
        ["G7"],
        async (store, { open }) => {
          const other = await open();
          await store.addMessage("s", numbered(2));
          await store.createSnapshot("s", "two");
          const turn = await startTurn(store, "s", { turnId: "t1", messages: user("go", { id: "q" }) });
          await expectUnchanged(store, "s", () =>
            expectError(removing[method](other, {}), "TURN_BUSY", { turnId: "t1" }),
          );
          await removing[method](other, { force: true });
          const session = await existingSession(store, "s");
          expect(session).not.toHaveProperty("turn");
          expect(session.messages.map((message) => message.id)).not.toContain("q");
          await expectError(turn.append(assistant("answer to nothing")), "TURN_LOST");
        },
      ),
    ),
    behaviour(
      "other callers can add messages, metadata and counts while a turn runs",
      ["G4", "G7"],
      async (store, { open }) => {
        const other = await open();
        const turn = await startTurn(store, "s", { messages: user("go") });
        await other.addMessage("s", user("by the way"));
        await other.updateSessionMetadata("s", { a: 1 });
        await other.incrementCounters("s", { n: 1 });
        await turn.complete([append(assistant("done"))]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "by the way", "done"]);
      },
    ),
    behaviour(
      "deleting an absent session with a token is TURN_LOST, and without one returns false",
      ["G7"],
      async (store) => {
        const turn = await startTurn(store, "s");
        await store.deleteSession("s");
        await expectError(store.deleteSession("s", { fence: turn.token }), "TURN_LOST", {
          reason: "session-gone",
        });
        expect(await store.deleteSession("s")).toBe(false);
      },
    ),
  ],
};
