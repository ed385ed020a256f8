import { append } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, idsOf, numbered, user } from "../../samples/messages.js";

export const messageIds: Section = {
  name: "message ids",
  cases: [
    behaviour(
      "a message that the session already has is not added again, however old it is",
      ["G6"],
      async (store, { open }) => {
        await store.addMessage("s", user("x", { id: "m", createdAt: 5 }));
        for (let n = 0; n < 40; n++) await store.addMessage("s", user(`${n}`));
        await expectUnchanged(store, "s", async () => {
          const again = await (await open()).addMessage("s", user("x", { id: "m", createdAt: 5 }));
          expect(again).toEqual({ revision: 41, duplicate: true, messages: [] });
        });
      },
    ),
    behaviour(
      "a message without a time equals the stored one with the store's time",
      ["G6"],
      async (store) => {
        await store.addMessage("s", user("x", { id: "m" }));
        expect(await store.addMessage("s", user("x", { id: "m" }))).toMatchObject({ duplicate: true });
        expect(await store.getChatHistory("s")).toHaveLength(1);
      },
    ),
    behaviour("an archived message is not added again either", ["G6", "G15"], async (store) => {
      await store.addMessage("s", numbered(3));
      await store.archiveMessages("s", { keepRecent: 1 });
      expect(await store.addMessage("s", numbered(3))).toMatchObject({ duplicate: true, messages: [] });
      await expectError(store.addMessage("s", user("other", { id: "m1" })), "MESSAGE_ID_TAKEN", {
        messageId: "m1",
      });
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m3"]);
    }),
    behaviour(
      "of a batch only the messages are added that the session does not have",
      ["G6", "G5"],
      async (store) => {
        await store.addMessage("s", numbered(2));
        const added = await store.addMessage("s", [...numbered(3), user("4", { id: "m4" })]);
        expect(added).toMatchObject({ revision: 2, duplicate: false });
        expect(idsOf(added.messages)).toEqual(["m3", "m4"]);
        expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2", "m3", "m4"]);
      },
    ),
    behaviour(
      "adding other content under a known message id is MESSAGE_ID_TAKEN for the whole batch",
      ["G6", "G2"],
      async (store) => {
        await store.addMessage("s", numbered(2));
        await expectUnchanged(store, "s", async () => {
          const batch = [user("new"), user("other", { id: "m1" })];
          await expectError(store.addMessage("s", batch), "MESSAGE_ID_TAKEN", {
            messageId: "m1",
            sessionId: "s",
          });
          await expectError(store.addMessage("s", user("1", { id: "m1", more: true })), "MESSAGE_ID_TAKEN");
        });
      },
    ),
    behaviour("onExisting `keep` keeps the existing message", ["G6"], async (store) => {
      await store.addMessage("s", numbered(2));
      const kept = await store.addMessage("s", [user("other", { id: "m1" }), user("new", { id: "n" })], {
        onExisting: "keep",
      });
      expect(idsOf(kept.messages)).toEqual(["n"]);
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["1", "2", "new"]);
    }),
    behaviour("onExisting `replace` replaces the existing message at its position", ["G6"], async (store) => {
      await store.addMessage("s", numbered(2));
      await store.addMessage("s", [user("other", { id: "m1" }), user("new", { id: "n" })], {
        onExisting: "replace",
      });
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["other", "2", "new"]);
      expect(await existingSession(store, "s")).toMatchObject({ revision: 2, messageCount: 3 });
    }),
    behaviour("an append operation takes onExisting too", ["G6"], async (store) => {
      await store.addMessage("s", numbered(1));
      await store.commit("s", append(user("other", { id: "m1" }), { onExisting: "replace" }));
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["other"]);
    }),
    behaviour(
      "a repeat by commit id returns the same added messages as the first call",
      ["G6"],
      async (store) => {
        await store.addMessage("s", numbered(1));
        const send = (): ReturnType<typeof store.addMessage> =>
          store.addMessage("s", numbered(3), { commitId: "c1" });
        const first = await send();
        expect(idsOf(first.messages)).toEqual(["m2", "m3"]);
        expect(await send()).toEqual({ ...first, duplicate: true });
      },
    ),
    behaviour("concurrent adds of the same message add it once", ["G6", "G4"], async (store, { open }) => {
      const stores = [store, await open(), await open()];
      await Promise.all(
        Array.from({ length: 9 }, (_, n) => stores[n % 3]?.addMessage("s", user("x", { id: "m" }))),
      );
      expect(await existingSession(store, "s")).toMatchObject({ revision: 1, messageCount: 1 });
    }),
    behaviour("two equal messages without ids are two messages", ["G6"], async (store) => {
      await store.addMessage("s", user("yes"));
      await store.addMessage("s", user("yes"));
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["yes", "yes"]);
    }),
  ],
};
