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
      "a message that the session holds is not added again, however long ago",
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
    behaviour("the time that the store gave does not make it another message", ["G6"], async (store) => {
      await store.addMessage("s", user("x", { id: "m" }));
      expect(await store.addMessage("s", user("x", { id: "m" }))).toMatchObject({ duplicate: true });
      expect(await store.getChatHistory("s")).toHaveLength(1);
    }),
    behaviour("an archived message is held as well", ["G6", "G15"], async (store) => {
      await store.addMessage("s", numbered(3));
      await store.archiveMessages("s", { keepRecent: 1 });
      expect(await store.addMessage("s", numbered(3))).toMatchObject({ duplicate: true, messages: [] });
      await expectError(store.addMessage("s", user("other", { id: "m1" })), "MESSAGE_ID_TAKEN", {
        messageId: "m1",
      });
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m3"]);
    }),
    behaviour("what is new in a batch is added, what is held is not", ["G6", "G5"], async (store) => {
      await store.addMessage("s", numbered(2));
      const added = await store.addMessage("s", [...numbered(3), user("4", { id: "m4" })]);
      expect(added).toMatchObject({ revision: 2, duplicate: false });
      expect(idsOf(added.messages)).toEqual(["m3", "m4"]);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2", "m3", "m4"]);
    }),
    behaviour(
      "the id with other content is MESSAGE_ID_TAKEN, and the batch is refused",
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
    behaviour("onExisting: keep leaves the old one", ["G6"], async (store) => {
      await store.addMessage("s", numbered(2));
      const kept = await store.addMessage("s", [user("other", { id: "m1" }), user("new", { id: "n" })], {
        onExisting: "keep",
      });
      expect(idsOf(kept.messages)).toEqual(["n"]);
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["1", "2", "new"]);
    }),
    behaviour("onExisting: replace puts the new one in the old one's place", ["G6"], async (store) => {
      await store.addMessage("s", numbered(2));
      await store.addMessage("s", [user("other", { id: "m1" }), user("new", { id: "n" })], {
        onExisting: "replace",
      });
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["other", "2", "new"]);
      expect(await existingSession(store, "s")).toMatchObject({ revision: 2, messageCount: 3 });
    }),
    behaviour("a general commit chooses as well", ["G6"], async (store) => {
      await store.addMessage("s", numbered(1));
      await store.commit("s", append(user("other", { id: "m1" }), { onExisting: "replace" }));
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["other"]);
    }),
    behaviour("a repeat by commit id says what was skipped then", ["G6"], async (store) => {
      await store.addMessage("s", numbered(1));
      const send = (): ReturnType<typeof store.addMessage> =>
        store.addMessage("s", numbered(3), { commitId: "c1" });
      const first = await send();
      expect(idsOf(first.messages)).toEqual(["m2", "m3"]);
      expect(await send()).toEqual({ ...first, duplicate: true });
    }),
    behaviour("adders of the same message at once add it once", ["G6", "G4"], async (store, { open }) => {
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
