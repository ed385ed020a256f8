import { extend, type Message, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../../assertions/existing-session.js";
import { expectError } from "../../../assertions/expect-error.js";
import { behaviour } from "../../../behaviour.js";
import type { Case } from "../../../case.js";
import {
  assistant,
  contentsOf,
  idsOf,
  numbered,
  toolCalls,
  toolResult,
  user,
} from "../../../samples/messages.js";
import { withoutStoreFields } from "../../../samples/without-store-fields.js";

async function withDraft(store: SessionStore): Promise<{ readonly base: number; readonly read: Message[] }> {
  await store.addMessage("s", [user("go", { id: "q" }), assistant("o", { id: "d", status: "partial" })]);
  const { revision, messages } = await existingSession(store, "s");
  return { base: revision, read: [...messages] };
}

/** Cases about the result of a merge. */
export const resultCases: readonly Case[] = [
  behaviour(
    "messages that a caller removed do not return because another caller has replaced the end of the history",
    ["G4"],
    async (store, { open }) => {
      await store.addMessage("s", numbered(4));
      const { revision: base } = await existingSession(store, "s");
      const other = await open();
      await other.setChatHistory("s", [...numbered(1), user("2, edited", { id: "m2" }), ...numbered(2, 3)]);
      await expectError(store.setChatHistory("s", numbered(2), { base }), "REVISION_CONFLICT");
      const { revision } = await existingSession(store, "s");
      await store.setChatHistory("s", numbered(2), { base: revision });
      expect(idsOf(await other.getChatHistory("s"))).toEqual(["m1", "m2"]);
    },
  ),
  behaviour(
    "a merge keeps the caller's removals and edits of messages that others did not change",
    ["G4", "G12"],
    async (store, { open }) => {
      await store.addMessage("s", numbered(3));
      await (await open()).addMessage("s", user("theirs", { id: "t" }));
      const edited = user("3, edited", { id: "m3" });
      await store.setChatHistory("s", [edited, user("mine", { id: "mine" })], { base: 1 });
      const now = await store.getChatHistory("s");
      expect(contentsOf(now)).toEqual(["3, edited", "mine", "theirs"]);
      expect(idsOf(now)).toEqual(["m3", "mine", "t"]);
    },
  ),
  behaviour(
    "an empty history with a base keeps the messages that others have added",
    ["G4"],
    async (store, { open }) => {
      await store.addMessage("s", numbered(3));
      await (await open()).addMessage("s", user("theirs"));
      await store.archiveMessages("s", { keepRecent: 2 });
      await store.setChatHistory("s", [], { base: 1 });
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["theirs"]);
      const [archive] = await store.listArchives("s");
      expect(archive).toMatchObject({ messageCount: 2 });
    },
  ),
  behaviour("a merge recognises messages without ids", ["G12"], async (store, { open }) => {
    await store.addMessage("s", numbered(2));
    const { revision: base, messages } = await existingSession(store, "s");
    await (await open()).addMessage("s", user("theirs", { id: "t" }));
    await store.setChatHistory("s", [...messages.map(withoutStoreFields), user("mine", { id: "mine" })], {
      base,
    });
    const now = await store.getChatHistory("s");
    expect(idsOf(now)).toEqual(["m1", "m2", "mine", "t"]);
    expect(now.slice(0, 2)).toEqual(messages);
  }),
  behaviour(
    "messages without ids that were archived since are a conflict and are not added again",
    ["G15"],
    async (store, { open }) => {
      await store.addMessage("s", numbered(4));
      const { revision: base, messages } = await existingSession(store, "s");
      await (await open()).archiveMessages("s", { keepRecent: 2 });
      const handed = [...messages.map(withoutStoreFields), user("mine")];
      await expectError(store.setChatHistory("s", handed, { base }), "REVISION_CONFLICT", { expected: base });
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m3", "m4"]);
    },
  ),
  behaviour(
    "a merge keeps the current content of a draft and leaves it partial",
    ["G4"],
    async (store, { open }) => {
      const { base, read } = await withDraft(store);
      await (await open()).commit("s", extend("d", { text: "k", metadata: { a: 1 } }));
      await store.setChatHistory("s", [...read, user("mine", { id: "mine" })], { base });
      const now = await store.getChatHistory("s");
      expect(now[1]).toMatchObject({ id: "d", content: "ok", status: "partial", metadata: { a: 1 } });
      expect(idsOf(now)).toEqual(["q", "d", "mine"]);
    },
  ),
  behaviour("a merge leaves a draft that was completed since complete", ["G4"], async (store, { open }) => {
    const { base, read } = await withDraft(store);
    await (await open()).commit("s", extend("d", { text: "k", status: "complete" }));
    await store.setChatHistory("s", [...read, user("mine", { id: "mine" })], { base });
    const now = await store.getChatHistory("s");
    expect(now[1]).toMatchObject({ id: "d", content: "ok" });
    expect(now[1]).not.toHaveProperty("status");
    expect(idsOf(now)).toEqual(["q", "d", "mine"]);
  }),
  behaviour("a merge recognises a draft without its id", ["G4", "G12"], async (store, { open }) => {
    const { base, read } = await withDraft(store);
    await (await open()).commit("s", extend("d", { text: "k" }));
    await store.setChatHistory("s", [...read.map(withoutStoreFields), user("mine")], { base });
    expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "ok", "mine"]);
    expect(idsOf((await existingSession(store, "s")).messages).slice(0, 2)).toEqual(["q", "d"]);
  }),
  ...[true, false].map((withId) =>
    behaviour(
      `a merge does not replace a completed message by its draft ${withId ? "with" : "without"} id and status`,
      ["G4"],
      async (store, { open }) => {
        const { base, read } = await withDraft(store);
        await (await open()).commit("s", extend("d", { text: "k", status: "complete" }));
        const handed = read.map((message) =>
          withId ? { ...withoutStoreFields(message), id: message.id } : withoutStoreFields(message),
        );
        await expectError(store.setChatHistory("s", handed, { base }), "REVISION_CONFLICT", {
          expected: base,
        });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["go", "ok"]);
      },
    ),
  ),
  behaviour(
    "dropping or editing a tool call whose result was added since is a conflict",
    ["G11"],
    async (store, { open }) => {
      await store.addMessage("s", [user("q", { id: "q" }), { ...toolCalls("c1"), id: "call" }]);
      const { revision: base } = await existingSession(store, "s");
      await (await open()).addMessage("s", { ...toolResult("c1"), id: "result" });
      const before = await existingSession(store, "s");
      const dropped = [user("q", { id: "q" })];
      const edited = [...dropped, assistant("no call any more", { id: "call" })];
      for (const handed of [dropped, edited, []])
        await expectError(store.setChatHistory("s", handed, { base }), "REVISION_CONFLICT", {
          expected: base,
          actual: before.revision,
        });
      expect(await existingSession(store, "s")).toEqual(before);
    },
  ),
  behaviour(
    "a merge keeps the result of a tool call that was added since",
    ["G11"],
    async (store, { open }) => {
      await store.addMessage("s", [user("q", { id: "q" }), { ...toolCalls("c1"), id: "call" }]);
      const { revision: base, messages } = await existingSession(store, "s");
      await (await open()).addMessage("s", { ...toolResult("c1"), id: "result" });
      await store.setChatHistory("s", messages.slice(1), { base });
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["call", "result"]);
    },
  ),
  behaviour("a repeat of a merge returns the first result", ["G6"], async (store, { open }) => {
    await store.addMessage("s", numbered(2));
    await (await open()).addMessage("s", user("theirs"));
    const merge = (): Promise<unknown> =>
      store.setChatHistory("s", [...numbered(2), user("mine")], { base: 1, commitId: "c" });
    const first = await merge();
    await store.clearSession("s");
    expect(await merge()).toEqual({ ...Object(first), duplicate: true });
    expect(await store.getChatHistory("s")).toEqual([]);
  }),
  behaviour(
    "a new message with the id of one that others have added since is a conflict unless it is equal",
    ["G4"],
    async (store, { open }) => {
      await store.addMessage("s", user("question", { id: "q" }));
      const before = await existingSession(store, "s");
      await (await open()).addMessage("s", user("theirs", { id: "n" }));
      const mine = [...before.messages, user("mine", { id: "n" })];
      await expectError(store.setChatHistory("s", mine, { base: before.revision }), "REVISION_CONFLICT");
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["question", "theirs"]);
      const equal = [...before.messages, user("theirs", { id: "n" })];
      await store.setChatHistory("s", equal, { base: before.revision });
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["question", "theirs"]);
    },
  ),
];
