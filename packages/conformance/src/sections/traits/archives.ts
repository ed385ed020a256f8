import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, idsOf, numbered, user } from "../../samples/messages.js";

/** The ids of all messages of the session: archived ones, then live ones. */
async function allIds(store: SessionStore): Promise<string[]> {
  const { archives, messages } = await existingSession(store, "s");
  const archived = await Promise.all(archives.map((archive) => store.getArchive("s", archive.id)));
  return [...archived.flatMap((archive) => idsOf(archive.messages)), ...idsOf(messages)];
}

export const archives: Section = {
  name: "archives never resurrect, never vanish",
  cases: [
    behaviour(
      "a message is live or archived, never both and never neither",
      ["G15"],
      async (store, { open }) => {
        await store.addMessage("s", numbered(10));
        for (const keepRecent of [8, 5, 5, 1]) {
          await store.archiveMessages("s", { keepRecent });
          const expected = numbered(10).map((message) => String(message.id));
          expect(await allIds(store)).toEqual(expected);
          expect(await allIds(await open())).toEqual(expected);
        }
        expect((await store.exportSession("s")).session.messages).toHaveLength(10);
      },
    ),
    behaviour("messages added while an archive is made stay live", ["G15", "G4"], async (store, { open }) => {
      const other = await open();
      await store.addMessage("s", numbered(20));
      const adding = Array.from({ length: 20 }, (_, n) => other.addMessage("s", numbered(1, 21 + n)));
      const [archive] = await Promise.all([store.archiveMessages("s", { keepRecent: 2 }), ...adding]);
      const ids = await allIds(store);
      expect(new Set(ids).size).toBe(40);
      expect(ids).toHaveLength(40);
      const { messages } = await store.getArchive("s", archive?.id ?? "");
      expect(idsOf(messages)).toEqual(ids.slice(0, messages.length));
      expect(idsOf(await store.getChatHistory("s")).slice(-1)).toEqual(ids.slice(-1));
    }),
    behaviour("an archived message that is part of a new history stays archived", ["G15"], async (store) => {
      const { messages } = await store.addMessage("s", numbered(4));
      await store.archiveMessages("s", { keepRecent: 2 });
      await store.setChatHistory("s", [...messages, user("new", { id: "n" })]);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m3", "m4", "n"]);
      expect(await allIds(store)).toEqual(["m1", "m2", "m3", "m4", "n"]);
    }),
    behaviour("clear, pop and revert do not change archives", ["G15"], async (store) => {
      await store.addMessage("s", numbered(6));
      const archive = await store.archiveMessages("s", { keepRecent: 3 });
      await store.popMessage("s");
      await store.revertToMessage("s", "m4");
      await store.clearSession("s");
      expect(idsOf((await store.getArchive("s", archive?.id ?? "")).messages)).toEqual(["m1", "m2", "m3"]);
      expect(await allIds(store)).toEqual(["m1", "m2", "m3"]);
    }),
    behaviour("settling an archive changes only its summary", ["G15"], async (store) => {
      await store.addMessage("s", numbered(4));
      const archive = await store.archiveMessages("s", { keepRecent: 2 });
      const before = await allIds(store);
      await store.settleArchive("s", archive?.id ?? "", { error: "first try" });
      await store.settleArchive("s", archive?.id ?? "", { summary: "done" });
      expect(await allIds(store)).toEqual(before);
    }),
    behaviour(
      "selecting the messages after an archived one returns all live messages",
      ["G15"],
      async (store) => {
        await store.addMessage("s", numbered(5));
        await store.archiveMessages("s", { keepRecent: 2 });
        expect(idsOf((await existingSession(store, "s", { messages: { after: "m1" } })).messages)).toEqual([
          "m4",
          "m5",
        ]);
      },
    ),
    behaviour(
      "a context never has a message together with the summary that covers it",
      ["G15"],
      async (store) => {
        await store.addMessage("s", numbered(9));
        for (const keepRecent of [6, 3]) {
          const archive = await store.archiveMessages("s", { keepRecent });
          await store.settleArchive("s", archive?.id ?? "", { summary: `all but ${keepRecent}` });
        }
        for (let maxTokens = 0; maxTokens <= 12; maxTokens++) {
          const context = await store.getContext("s", { maxTokens, countTokens: () => 1 });
          const included = contentsOf(context.messages.filter((message) => message.role !== "system"));
          expect(included).toEqual(["7", "8", "9"].slice(3 - included.length));
          expect(included.length + context.omitted.messages).toBe(3);
          expect(context.tokens).toBeLessThanOrEqual(maxTokens);
        }
      },
    ),
    behaviour(
      "an archive with a failed summary contributes its messages until it has a summary",
      ["G15"],
      async (store) => {
        await store.addMessage("s", numbered(4));
        const archive = await store.archiveMessages("s", { keepRecent: 2 });
        await store.settleArchive("s", archive?.id ?? "", { error: "no" });
        const count = { maxTokens: 100, countTokens: () => 1 };
        expect(contentsOf((await store.getContext("s", count)).messages)).toEqual(["1", "2", "3", "4"]);
        await store.settleArchive("s", archive?.id ?? "", { summary: "one and two" });
        expect(idsOf((await store.getContext("s", count)).messages).slice(-2)).toEqual(["m3", "m4"]);
        expect((await store.getContext("s", count)).messages).toHaveLength(3);
      },
    ),
  ],
};
