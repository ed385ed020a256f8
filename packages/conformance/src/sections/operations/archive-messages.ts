import type { ArchiveQuery } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, idsOf, numbered, toolCalls, toolResult, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { untyped } from "../../samples/untyped.js";

const amounts: readonly (readonly [what: string, query: ArchiveQuery, live: readonly string[]])[] = [
  ["without options no message stays live", {}, []],
  ["with keepRecent that many of the newest messages stay live", { keepRecent: 2 }, ["m4", "m5"]],
  ["with keepRecent 0 no message stays live", { keepRecent: 0 }, []],
  [
    "with keepTokens the newest messages that fit the budget stay live",
    { keepTokens: 3, countTokens: () => 1 },
    ["m3", "m4", "m5"],
  ],
];

export const archiveMessages: Section = {
  name: "archiveMessages",
  covers: ["archiveMessages"],
  cases: [
    ...amounts.map(([what, query, live]) =>
      behaviour(
        `${what}, and the others are an archive whose summary is pending`,
        ["G15", "G5"],
        async (store) => {
          await store.addMessage("s", numbered(5));
          const archive = await store.archiveMessages("s", query);
          expect(archive).toMatchObject({
            messageCount: 5 - live.length,
            firstMessageId: "m1",
            summary: { status: "pending" },
          });
          const session = await existingSession(store, "s");
          expect(idsOf(session.messages)).toEqual(live);
          expect(session).toMatchObject({ revision: 2, messageCount: live.length, archives: [archive] });
        },
      ),
    ),
    behaviour("if every message stays live, there is no archive and no commit", ["G5"], async (store) => {
      await store.createSession("s", { messages: numbered(3) });
      await expectUnchanged(store, "s", async () => {
        expect(await store.archiveMessages("s", { keepRecent: 3 })).toBeUndefined();
        expect(await store.archiveMessages("s", { keepRecent: 30 })).toBeUndefined();
      });
    }),
    behaviour("an archive does not separate a tool call from its results", ["G11"], async (store) => {
      await store.addMessage("s", [user("a"), toolCalls("c1"), toolResult("c1"), assistant("b")]);
      await store.archiveMessages("s", { keepRecent: 2 });
      const live = (await store.getChatHistory("s")).map((message) => message.role);
      expect([["assistant"], ["assistant", "tool", "assistant"]]).toContainEqual(live);
    }),
    behaviour(
      "a tool call of a running turn that has no result yet stays live",
      ["G11", "G15"],
      async (store) => {
        const turn = await startTurn(store, "s", { messages: [user("a"), user("look")] });
        await turn.append(toolCalls("c1"));
        await store.archiveMessages("s", {});
        expect((await store.getChatHistory("s")).map((message) => message.role)).toContain("assistant");
      },
    ),
    behaviour("a draft is never archived", ["G15"], async (store) => {
      await store.addMessage("s", [user("a"), assistant("dra", { status: "partial" }), user("b")]);
      await store.archiveMessages("s", {});
      expect(await store.getChatHistory("s")).toMatchObject([{ status: "partial" }, { content: "b" }]);
    }),
    behaviour("archives are consecutive and listed oldest first", ["G15"], async (store) => {
      await store.addMessage("s", numbered(6));
      await store.archiveMessages("s", { keepRecent: 4 });
      await store.archiveMessages("s", { keepRecent: 1 });
      const spans = (await store.listArchives("s")).map((one) => [one.firstMessageId, one.lastMessageId]);
      expect(spans).toEqual([
        ["m1", "m2"],
        ["m3", "m5"],
      ]);
    }),
    behaviour("an amount that is negative or not a number is refused", [], async (store) => {
      await store.addMessage("s", numbered(2));
      for (const query of [{ keepRecent: -1 }, { keepTokens: Number.NaN }, { keepRecent: "1" }]) {
        await expectError(store.archiveMessages("s", untyped<ArchiveQuery>(query)), "INVALID_ARGUMENT");
      }
    }),
    behaviour(
      "two concurrent archivers archive every message once",
      ["G15", "G4"],
      async (store, { open }) => {
        const other = await open();
        await store.addMessage("s", numbered(6));
        await Promise.all([
          store.archiveMessages("s", { keepRecent: 2 }),
          other.archiveMessages("s", { keepRecent: 2 }),
        ]);
        const archives = await store.listArchives("s");
        expect(archives.reduce((sum, one) => sum + one.messageCount, 0)).toBe(4);
        expect(idsOf(await store.getChatHistory("s"))).toEqual(["m5", "m6"]);
      },
    ),
  ],
};
