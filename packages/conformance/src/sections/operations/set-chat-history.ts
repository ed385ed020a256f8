import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, idsOf, numbered, user } from "../../samples/messages.js";

export const setChatHistory: Section = {
  name: "setChatHistory",
  covers: ["setChatHistory"],
  cases: [
    behaviour("a new history replaces the live messages in one commit", ["G2", "G5"], async (store) => {
      await store.addMessage("s", [user("a"), assistant("b")]);
      const replaced = await store.setChatHistory("s", [user("c"), assistant("d"), user("e")]);
      expect(replaced).toMatchObject({ revision: 2, duplicate: false });
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["c", "d", "e"]);
    }),
    behaviour("the result has the added messages only", ["G12"], async (store) => {
      const { messages } = await store.addMessage("s", numbered(3));
      const replaced = await store.setChatHistory("s", [...messages, user("new")]);
      expect(contentsOf(replaced.messages)).toEqual(["new"]);
    }),
    behaviour("a new history creates an absent session", ["G5"], async (store) => {
      expect(await store.setChatHistory("s", [user("a")])).toMatchObject({ revision: 1, duplicate: false });
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["a"]);
    }),
    behaviour("setting an unchanged history writes nothing", ["G5", "G12"], async (store) => {
      await store.addMessage("s", numbered(3));
      await expectUnchanged(store, "s", async () => {
        const again = await store.setChatHistory("s", await store.getChatHistory("s"));
        expect(again).toEqual({ revision: 1, duplicate: true, messages: [] });
      });
    }),
    behaviour("an empty history removes the live messages and nothing else", ["G4"], async (store) => {
      await store.createSession("s", { title: "T", messages: numbered(3) });
      await store.setChatHistory("s", []);
      expect(await existingSession(store, "s")).toMatchObject({ messages: [], messageCount: 0, title: "T" });
    }),
    behaviour(
      "a history with one invalid message is refused, and the old one is unchanged",
      ["G2"],
      async (store) => {
        await store.addMessage("s", numbered(3));
        await expectUnchanged(store, "s", () =>
          expectError(
            store.setChatHistory("s", [user("a"), { role: "user", content: Number.NaN }]),
            "INVALID_ARGUMENT",
            {
              path: expect.stringContaining("1"),
            },
          ),
        );
      },
    ),
    behaviour("a history with the same message id twice is refused", ["G2"], async (store) => {
      await store.addMessage("s", numbered(1));
      const twice = [user("a", { id: "x" }), user("b", { id: "x" })];
      await expectUnchanged(store, "s", () =>
        expectError(store.setChatHistory("s", twice), ["MESSAGE_ID_TAKEN", "INVALID_ARGUMENT"]),
      );
    }),
    behaviour(
      "a reader sees the old history or the new one, never a mixture",
      ["G2"],
      async (store, { open }) => {
        const reader = await open();
        await store.setChatHistory("s", numbered(5));
        let replacing = true;
        const writing = (async () => {
          for (let round = 1; round <= 30; round++) await store.setChatHistory("s", numbered(5, round * 100));
        })().finally(() => {
          replacing = false;
        });
        while (replacing) {
          const ids = idsOf(await reader.getChatHistory("s"));
          const first = Number(ids[0]?.slice(1));
          expect(ids).toEqual(Array.from({ length: 5 }, (_, n) => `m${first + n}`));
        }
        await writing;
      },
    ),
  ],
};
