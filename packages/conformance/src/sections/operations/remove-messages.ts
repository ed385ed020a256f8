import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { MANY_IDS } from "../../samples/many-ids.js";
import { contentsOf, idsOf, numbered, user } from "../../samples/messages.js";

export const removeMessages: Section = {
  name: "removeMessages",
  covers: ["removeMessages"],
  cases: [
    behaviour("messages are removed from anywhere in the history and returned", ["G5"], async (store) => {
      const { messages } = await store.addMessage("s", numbered(5));
      const removed = await store.removeMessages("s", ["m4", "m1"]);
      expect(removed).toMatchObject({ revision: 2, duplicate: false });
      expect(idsOf(removed.messages).toSorted()).toEqual(["m1", "m4"]);
      expect(removed.messages).toContainEqual(messages[3]);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m2", "m3", "m5"]);
    }),
    behaviour("a single id can be passed without a list", [], async (store) => {
      await store.addMessage("s", numbered(2));
      await store.removeMessages("s", "m1");
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m2"]);
    }),
    behaviour("if one id is unknown, no message is removed", ["G2"], async (store) => {
      await store.addMessage("s", numbered(3));
      await expectUnchanged(store, "s", () =>
        expectError(store.removeMessages("s", ["m1", "m9"]), "MESSAGE_NOT_FOUND", { messageId: "m9" }),
      );
    }),
    behaviour("removing an archived message is MESSAGE_NOT_FOUND", ["G15"], async (store) => {
      await store.addMessage("s", numbered(3));
      await store.archiveMessages("s", { keepRecent: 1 });
      await expectUnchanged(store, "s", () =>
        expectError(store.removeMessages("s", "m1"), "MESSAGE_NOT_FOUND"),
      );
    }),
    behaviour("removing messages of an absent session is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.removeMessages("s", "m1"), "SESSION_NOT_FOUND");
    }),
    behaviour("the id of a removed message can be used again", ["G6"], async (store) => {
      await store.addMessage("s", numbered(2));
      await store.removeMessages("s", "m1");
      const again = await store.addMessage("s", user("another", { id: "m1" }));
      expect(again.duplicate).toBe(false);
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["2", "another"]);
    }),
    behaviour("thousands of messages can be removed in one call", ["G18"], async (store, { open }) => {
      await store.createSession("s", { messages: numbered(MANY_IDS) });
      const ids = numbered(MANY_IDS).map(({ id }) => String(id));
      const { messages } = await (await open()).removeMessages("s", ids.slice(1));
      expect(messages).toHaveLength(MANY_IDS - 1);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1"]);
    }),
    behaviour("removing an empty list writes nothing", ["G5"], async (store) => {
      await store.addMessage("s", numbered(1));
      expect(await store.removeMessages("s", [])).toEqual({ revision: 1, duplicate: true, messages: [] });
    }),
  ],
};
