import { append, count, remove, set } from "@sessions/protocol";
import { expect } from "vitest";
import { errorOf } from "../../assertions/error-of.js";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, numbered, user } from "../../samples/messages.js";

export const runTurn: Section = {
  name: "runTurn",
  covers: ["runTurn"],
  cases: [
    behaviour(
      "the operations that the callback returns are committed together with the end of the turn",
      ["G2", "G5"],
      async (store) => {
        const result = await store.runTurn(
          "s",
          { turnId: "t1", messages: user("2 + 2?") },
          async (_turn, session) => {
            expect(contentsOf(session.messages)).toEqual(["2 + 2?"]);
            return [append(assistant("4")), count({ turns: 1 }), set({ metadata: { done: true } })];
          },
        );
        expect(result).toMatchObject({
          status: "completed",
          turnId: "t1",
          revision: 2,
          messages: [{ content: "4" }],
        });
        const session = await existingSession(store, "s");
        expect(session).toMatchObject({ revision: 2, counters: { turns: 1 }, metadata: { done: true } });
        expect(session).toMatchObject({ lastTurn: { turnId: "t1", outcome: "completed" } });
        expect(session).not.toHaveProperty("turn");
      },
    ),
    behaviour("the callback may return one operation or none", [], async (store) => {
      await store.runTurn("s", {}, () => append(assistant("one")));
      expect(await store.runTurn("s", {}, () => undefined)).toMatchObject({ status: "completed" });
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["one"]);
    }),
    behaviour(
      "a callback that throws fails the turn, and the caller gets the same error",
      ["G7"],
      async (store) => {
        const failure = new Error("model is down");
        const running = store.runTurn("s", { turnId: "t1", messages: user("go") }, async (turn) => {
          await turn.append(assistant("dra", { status: "partial" }));
          throw failure;
        });
        expect(await errorOf(running)).toBe(failure);
        const session = await existingSession(store, "s");
        expect(session).not.toHaveProperty("turn");
        expect(session.lastTurn).toMatchObject({
          turnId: "t1",
          outcome: "failed",
          error: expect.stringContaining("model is down"),
        });
        expect(session.messages).toMatchObject([{ content: "go" }, { status: "interrupted" }]);
      },
    ),
    behaviour(
      "a failed turn can run again, and its question is not added twice",
      ["G6"],
      async (store, { open }) => {
        const options = { turnId: "t1", messages: user("go") };
        await errorOf(
          store.runTurn("s", options, async () => {
            throw new Error("first try");
          }),
        );
        const again = await (await open()).runTurn("s", options, () => append(assistant("went")));
        expect(again).toMatchObject({ status: "completed" });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "went"]);
      },
    ),
    behaviour(
      "a new attempt gets the interrupted draft of the one before and may remove it",
      ["G6", "G9"],
      async (store, { open }) => {
        const options = { turnId: "t1", messages: user("go") };
        await errorOf(
          store.runTurn("s", options, async (turn) => {
            await turn.append(assistant("dra", { id: "d", status: "partial" }));
            throw new Error("first try");
          }),
        );
        await (await open()).runTurn("s", options, (_turn, session) => {
          expect(session.messages).toMatchObject([{ content: "go" }, { id: "d", status: "interrupted" }]);
          return [remove("d"), append(assistant("went"))];
        });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "went"]);
      },
    ),
    behaviour(
      "a callback that throws the reason of its interruption fails the turn",
      ["G7"],
      async (store, { open }) => {
        const other = await open();
        const running = store.runTurn("s", { turnId: "t1" }, async (turn) => {
          await other.interruptTurn("s");
          await eventually(() => expect(turn.signal.aborted).toBe(true));
          turn.signal.throwIfAborted();
        });
        await expectError(running, "TURN_LOST", { reason: "interrupted" });
        const session = await existingSession(store, "s");
        expect(session).not.toHaveProperty("turn");
        expect(session.lastTurn).toMatchObject({ turnId: "t1", outcome: "failed" });
      },
    ),
    behaviour("a completed turn is not run again", ["G6"], async (store) => {
      let runs = 0;
      const run = (): ReturnType<typeof store.runTurn> =>
        store.runTurn("s", { turnId: "t1", messages: user("go") }, () => {
          runs += 1;
          return append(assistant("went"));
        });
      expect(await run()).toMatchObject({ status: "completed" });
      expect(await run()).toMatchObject({ status: "duplicate", turnId: "t1", session: { messageCount: 2 } });
      expect(runs).toBe(1);
    }),
    behaviour("a turn whose returned operations are refused ends as failed", ["G2", "G7"], async (store) => {
      const running = store.runTurn("s", { turnId: "t1" }, () => [
        append(assistant("x")),
        count({ turns: 0.5 }),
      ]);
      await expectError(running, "INVALID_ARGUMENT");
      const session = await existingSession(store, "s");
      expect(session).toMatchObject({ messages: [], counters: {}, lastTurn: { outcome: "failed" } });
      expect(session).not.toHaveProperty("turn");
    }),
    behaviour(
      "a callback that has lost its turn changes nothing, and the call is TURN_LOST",
      ["G7"],
      async (store, { open }) => {
        const other = await open();
        const running = store.runTurn("s", { messages: user("go") }, async () => {
          await other.interruptTurn("s", { force: true });
          return append(assistant("too late"));
        });
        await expectError(running, "TURN_LOST");
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go"]);
      },
    ),
    behaviour(
      "the messages of turns that wait for each other never interleave",
      ["G4", "G7"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        const ask = (n: number): Promise<unknown> | undefined =>
          stores[n % 3]?.runTurn("s", { messages: user(`q${n}`), waitMs: 30_000 }, async (turn, session) => {
            await turn.append(assistant(`a${n}`));
            return count({ seen: session.messages.length });
          });
        await Promise.all(numbered(12).map((_, n) => ask(n)));
        const texts = contentsOf(await store.getChatHistory("s")).map(String);
        const questions = texts.filter((text) => text.startsWith("q"));
        expect(texts).toEqual(questions.flatMap((question) => [question, question.replace("q", "a")]));
        expect(questions).toHaveLength(12);
      },
    ),
  ],
};
