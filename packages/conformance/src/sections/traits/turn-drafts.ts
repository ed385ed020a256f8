import { append, extend } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Case } from "../../case.js";
import { assistant, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

const DRAFT = { id: "d", status: "partial", metadata: { model: "m" }, unknown: ["kept"] } as const;

/** Cases about drafts at the end of a turn. */
export const turnDrafts: readonly Case[] = [
  behaviour(
    "a turn that completes finishes its drafts in the same commit",
    ["G2", "G9"],
    async (store, { open }) => {
      const turn = await startTurn(store, "s", { messages: user("go") });
      await turn.append([assistant("One", DRAFT), assistant("Two", { id: "e", status: "partial" })]);
      await turn.extend("d", { text: ", two" });
      const { revision } = await turn.complete([append(assistant("done", { id: "f" }))]);
      const session = await existingSession(await open(), "s");
      expect(session.revision).toBe(revision);
      expect(session.messages.map(({ id, status }) => [id, status])).toMatchObject([
        [expect.any(String), undefined],
        ["d", undefined],
        ["e", undefined],
        ["f", undefined],
      ]);
      expect(session.messages[1]).toMatchObject({
        content: "One, two",
        metadata: { model: "m" },
        unknown: ["kept"],
      });
      await store.createSnapshot("s", "after"); // refused if a draft were left
      expect((await store.getContext("s", { maxTokens: 1_000 })).messages).toHaveLength(4);
    },
  ),
  behaviour(
    "a draft in a history with many changes stays complete, whatever else the completing commit changes",
    ["G1", "G4"],
    async (store) => {
      await store.addMessage(
        "s",
        Array.from({ length: 120 }, (_, n) => user(`${n}`, { id: `m${n}` })),
      );
      for (let n = 1; n < 60; n++) {
        await store.addMessage("s", assistant("begun", { id: `d${n}`, status: "partial" }));
        await store.updateMessage("s", `m${2 * n}`, user("changed"));
        const completion = extend(`d${n}`, { text: ", done", status: "complete" });
        await store.commit("s", [completion, append(user("next", { id: `n${n}` }))]);
        const [draft] = await store.getMessages("s", [`d${n}`]);
        expect(draft, `draft ${n}`).toMatchObject({ content: "begun, done" });
        expect(draft).not.toHaveProperty("status");
      }
    },
  ),
  behaviour(
    "the end of a turn returns the messages that it adds as they are stored, finished or interrupted",
    ["G3"],
    async (store) => {
      const draft = assistant("One", { id: "d", status: "partial" });
      const completed = await (await startTurn(store, "a")).complete([append(draft)]);
      const failed = await (await startTurn(store, "b")).fail(new Error("no model"), [append(draft)]);
      const run = await store.runTurn("c", {}, () => append(draft));
      expect(completed.messages).toEqual(await store.getChatHistory("a"));
      expect(failed.messages).toEqual(await store.getChatHistory("b"));
      expect(run).toMatchObject({ messages: await store.getChatHistory("c") });
      expect(failed.messages).toMatchObject([{ status: "interrupted" }]);
      expect(completed.messages[0]).not.toHaveProperty("status");
    },
  ),
  behaviour(
    "a turn that extends an interrupted draft of an earlier one finishes it",
    ["G9"],
    async (store) => {
      const first = await startTurn(store, "s", { messages: user("go") });
      await first.append(assistant("One", DRAFT));
      await first.fail(new Error("no model"));
      const second = await startTurn(store, "s");
      await second.extend("d", { status: "partial", text: ", two" });
      await second.complete();
      const [, draft] = await store.getChatHistory("s");
      expect(draft?.content).toBe("One, two");
      expect(draft).not.toHaveProperty("status");
    },
  ),
  behaviour("a turn can complete and mark its drafts as interrupted", ["G9"], async (store) => {
    const turn = await startTurn(store, "s", { messages: user("go") });
    await turn.append([assistant("One", DRAFT), assistant("Two", { id: "e", status: "partial" })]);
    await turn.complete([extend("e", { status: "complete" })], { drafts: "interrupt" });
    const session = await existingSession(store, "s");
    expect(session.lastTurn).toMatchObject({ outcome: "completed" });
    expect(session.messages).toMatchObject([{}, { id: "d", status: "interrupted" }, { id: "e" }]);
    expect(session.messages[2]).not.toHaveProperty("status");
  }),
  behaviour("a message that its turn has marked as interrupted stays interrupted", ["G9"], async (store) => {
    const turn = await startTurn(store, "s", { messages: user("go") });
    await turn.append([assistant("One", DRAFT), assistant("Two", { id: "e", status: "partial" })]);
    await turn.extend("d", { status: "interrupted" });
    await turn.complete();
    const session = await existingSession(store, "s");
    expect(session.lastTurn).toMatchObject({ outcome: "completed" });
    expect(session.messages).toMatchObject([{}, { id: "d", status: "interrupted" }, { id: "e" }]);
    expect(session.messages[2]).not.toHaveProperty("status");
  }),
  behaviour(
    "runTurn finishes the drafts of a callback that succeeds and interrupts those of one that throws",
    ["G9"],
    async (store) => {
      const work = (id: string, fails: boolean) =>
        store.runTurn("s", {}, async (turn) => {
          await turn.append(assistant("dra", { id, status: "partial" }));
          if (fails) throw new Error("no model");
        });
      await work("good", false);
      await expect(work("bad", true)).rejects.toThrow("no model");
      const [good, bad] = await store.getChatHistory("s");
      expect(good).not.toHaveProperty("status");
      expect(bad).toMatchObject({ id: "bad", status: "interrupted" });
    },
  ),
  behaviour("a released turn interrupts its drafts", ["G9"], async (store) => {
    const turn = await startTurn(store, "s", { messages: user("go") });
    await turn.append(assistant("One", DRAFT));
    await turn.release();
    expect(await store.getChatHistory("s")).toMatchObject([{}, { status: "interrupted" }]);
  }),
  behaviour("ending a turn as failed with its drafts finished is refused", ["G2"], async (store) => {
    const turn = await startTurn(store, "s", { messages: user("go") });
    await turn.append(assistant("One", DRAFT));
    const end = { op: "turn", action: "end", outcome: "failed", drafts: "finish" } as const;
    await expectError(store.commit("s", [end], { fence: turn.token }), "INVALID_ARGUMENT");
    expect(await store.getChatHistory("s")).toMatchObject([{}, { status: "partial" }]);
  }),
];
