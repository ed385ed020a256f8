import {
  adopt,
  append,
  archive,
  count,
  dropSnapshot,
  extend,
  type OperationInput,
  remove,
  restore,
  set,
  settleArchive,
  snapshot,
  splice,
  update,
} from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { untyped } from "../../samples/untyped.js";

const splices: readonly (readonly [what: string, op: OperationInput, ids: readonly string[]])[] = [
  ["keeps the first messages by count", splice(2, [user("x", { id: "x" })]), ["m1", "m2", "x"]],
  ["keeps all messages through one", splice({ through: "m3" }), ["m1", "m2", "m3"]],
  ["keeps all messages before one", splice({ before: "m3" }), ["m1", "m2"]],
  ["keeps no message", splice(0, [user("x", { id: "x" })]), ["x"]],
];

export const commit: Section = {
  name: "commit",
  covers: ["commit"],
  cases: [
    behaviour(
      "several operations are one commit, and each sees those before it",
      ["G2", "G5"],
      async (store) => {
        await store.addMessage("s", numbered(3));
        const result = await store.commit("s", [
          append(assistant("draft", { id: "d", status: "partial" })),
          extend("d", { text: "ed", status: "complete" }),
          update({ ...user("first"), id: "m1" }),
          remove("m2"),
          snapshot("mark"),
          set({ title: "T", labels: { a: "1" }, metadata: { m: 1 } }),
          count({ turns: 1 }),
        ]);
        expect(result).toMatchObject({ revision: 2, duplicate: false });
        const session = await existingSession(store, "s");
        expect(contentsOf(session.messages)).toEqual(["first", "3", "drafted"]);
        expect(session).toMatchObject({
          title: "T",
          labels: { a: "1" },
          metadata: { m: 1 },
          counters: { turns: 1 },
        });
        expect(session).toMatchObject({ snapshots: [{ name: "mark", messageCount: 3 }] });
      },
    ),
    behaviour(
      "archives and snapshots can be made, settled, restored and dropped in commits",
      ["G14", "G15"],
      async (store) => {
        await store.addMessage("s", numbered(4));
        await store.commit("s", [
          snapshot("four"),
          archive("m2", { archiveId: "a1" }),
          settleArchive("a1", { summary: "1, 2" }),
        ]);
        expect(await existingSession(store, "s")).toMatchObject({
          messageCount: 2,
          archives: [{ id: "a1", summary: { text: "1, 2" } }],
        });
        await store.commit("s", [restore("four"), dropSnapshot("four")]);
        expect(await existingSession(store, "s")).toMatchObject({
          messageCount: 4,
          archives: [],
          snapshots: [],
        });
      },
    ),
    ...splices.map(([what, op, ids]) =>
      behaviour(`a splice ${what} and removes the others`, ["G2"], async (store) => {
        await store.addMessage("s", numbered(4));
        await store.commit("s", op);
        expect(idsOf(await store.getChatHistory("s"))).toEqual(ids);
      }),
    ),
    behaviour("extensions append text and parts to a message and can finish it", ["G9"], async (store) => {
      const parts = [{ type: "text", text: "a" }];
      await store.addMessage("s", [
        assistant("Hel", { id: "t", status: "partial" }),
        { role: "assistant", id: "p", content: parts, status: "partial" },
      ]);
      await store.commit("s", [
        extend("t", { text: "lo" }),
        extend("p", { parts: [{ type: "file", url: "u" }] }),
      ]);
      await store.commit("s", [
        extend("t", { text: "!", status: "complete" }),
        extend("p", { status: "interrupted" }),
      ]);
      const [text, part] = await store.getChatHistory("s");
      expect(text).toMatchObject({ content: "Hello!" });
      expect(text).not.toHaveProperty("status");
      expect(part).toMatchObject({ content: [...parts, { type: "file", url: "u" }], status: "interrupted" });
    }),
    behaviour(
      "one extension appends reasoning, then text, then parts, and joins each to a last part of its kind",
      ["G9"],
      async (store) => {
        await store.addMessage("s", [
          assistant("said", { id: "t" }),
          { role: "assistant", id: "p", content: [], status: "partial" },
        ]);
        await store.commit("s", [
          extend("t", { reasoning: "on second thought" }),
          extend("p", { text: "A", reasoning: "hm" }),
          extend("p", { text: "B", parts: [{ type: "file", url: "u" }] }),
        ]);
        await store.commit("s", [
          extend("p", { reasoning: "so" }),
          extend("p", { reasoning: ", then", text: "C" }),
          extend("p", { reasoning: "", text: "" }),
        ]);
        const [text, parts] = await store.getChatHistory("s");
        expect(text?.content).toEqual([
          { type: "text", text: "said" },
          { type: "reasoning", text: "on second thought" },
        ]);
        expect(parts?.content).toEqual([
          { type: "reasoning", text: "hm" },
          { type: "text", text: "AB" },
          { type: "file", url: "u" },
          { type: "reasoning", text: "so, then" },
          { type: "text", text: "C" },
        ]);
      },
    ),
    behaviour(
      "an extension sets and removes single metadata keys of a message",
      ["G4", "G9"],
      async (store) => {
        await store.addMessage(
          "s",
          assistant("a", { id: "m", metadata: { kept: [1], gone: true, nothing: null } }),
        );
        const metadata = { gone: null, nothing: null, usage: { n: 1 } };
        await store.commit("s", extend("m", { text: "b", metadata }));
        const [message] = await store.getChatHistory("s");
        expect(message).toMatchObject({ content: "ab" });
        expect(message?.metadata).toEqual({ kept: [1], usage: { n: 1 } });
        const unchanged = await store.commit("s", extend("m", { metadata: { kept: [1], never: null } }));
        expect(unchanged).toMatchObject({ revision: 2, duplicate: true });
      },
    ),
    behaviour(
      "an extension with a field of a wrong type is refused with the path to the field",
      ["G2"],
      async (store) => {
        await store.addMessage("s", numbered(1));
        const wrong = { reasoning: 1, text: null, parts: "x", metadata: [], status: "done" };
        for (const [name, value] of Object.entries(wrong)) {
          const op = untyped<OperationInput>({ op: "extend", messageId: "m1", [name]: value });
          const fields = { path: expect.stringContaining(name) };
          await expectUnchanged(store, "s", () =>
            expectError(store.commit("s", op), "INVALID_ARGUMENT", fields),
          );
        }
      },
    ),
    behaviour(
      "a finished message cannot become partial again, and an unknown one cannot be extended",
      ["G2"],
      async (store) => {
        await store.addMessage("s", numbered(1));
        await expectUnchanged(store, "s", async () => {
          await expectError(
            store.commit("s", extend("m1", { text: "x", status: "partial" })),
            "INVALID_ARGUMENT",
          );
          await expectError(store.commit("s", extend("m9", { text: "x" })), "MESSAGE_NOT_FOUND", {
            messageId: "m9",
          });
        });
      },
    ),
    behaviour("an empty list of operations is not a commit", ["G5"], async (store) => {
      expect(await store.commit("s", [])).toEqual({ revision: 0, duplicate: true, messages: [] });
      expect(await store.sessionExists("s")).toBe(false);
      await store.addMessage("s", numbered(1));
      expect(await store.commit("s", [])).toEqual({ revision: 1, duplicate: true, messages: [] });
    }),
    behaviour(
      "an append creates a session, and other operations need an existing one",
      ["G17"],
      async (store) => {
        const others = [
          remove("m1"),
          set({ title: "T" }),
          count({ a: 1 }),
          snapshot("x"),
          restore("x"),
          archive("m1"),
        ];
        for (const op of others)
          await expectError(store.commit("s", op), "SESSION_NOT_FOUND", { sessionId: "s" });
        expect(await store.sessionExists("s")).toBe(false);
        await store.commit("s", [append(user("a")), set({ title: "T" })]);
        expect(await existingSession(store, "s")).toMatchObject({ revision: 1, title: "T" });
      },
    ),
    behaviour("an unknown operation is refused with the path to it", ["G2"], async (store) => {
      await store.addMessage("s", numbered(1));
      const ops = untyped<OperationInput[]>([{ op: "count", deltas: { a: 1 } }, { op: "explode" }]);
      const fields = { path: expect.stringContaining("1") };
      await expectUnchanged(store, "s", () =>
        expectError(store.commit("s", ops), "INVALID_ARGUMENT", fields),
      );
    }),
    behaviour("an archive that would contain a draft is refused", ["G15"], async (store) => {
      await store.addMessage("s", [user("a"), assistant("dra", { id: "d", status: "partial" })]);
      await expectUnchanged(store, "s", () =>
        expectError(store.commit("s", archive("d")), "INVALID_ARGUMENT"),
      );
    }),
    behaviour(
      "adopt needs the revision that it replaces, and is refused while a turn runs",
      ["G5", "G7"],
      async (store) => {
        await store.addMessage("s", numbered(1));
        const { session } = await store.exportSession("s");
        const document = { ...session, revision: 40, title: "adopted" };
        await expectError(store.commit("s", adopt(document)), "INVALID_ARGUMENT", {
          path: "options.ifRevision",
        });
        const turn = await startTurn(store, "s");
        await expectError(store.commit("s", adopt(document), { ifRevision: 2 }), "TURN_BUSY");
        await turn.complete();
        expect(await store.commit("s", adopt(document), { ifRevision: 3 })).toMatchObject({ revision: 40 });
        expect(await existingSession(store, "s")).toMatchObject({ revision: 40, title: "adopted" });
      },
    ),
  ],
};
