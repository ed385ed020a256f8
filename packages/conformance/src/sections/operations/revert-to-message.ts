import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered } from "../../samples/messages.js";

export const revertToMessage: Section = {
  name: "revertToMessage",
  covers: ["revertToMessage"],
  cases: [
    behaviour("reverting to a message removes the messages after it", ["G5"], async (store) => {
      await store.addMessage("s", numbered(5));
      expect(await store.revertToMessage("s", "m2")).toMatchObject({ revision: 2, duplicate: false });
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2"]);
    }),
    behaviour("reverting to the last message writes nothing", ["G5"], async (store) => {
      await store.addMessage("s", numbered(2));
      await expectUnchanged(store, "s", async () => {
        expect(await store.revertToMessage("s", "m2")).toMatchObject({ revision: 1, duplicate: true });
      });
    }),
    behaviour(
      "reverting to an unknown or archived message is MESSAGE_NOT_FOUND",
      ["G15", "G2"],
      async (store) => {
        await store.addMessage("s", numbered(4));
        await store.archiveMessages("s", { keepRecent: 2 });
        await expectUnchanged(store, "s", async () => {
          for (const messageId of ["m1", "m9"]) {
            await expectError(store.revertToMessage("s", messageId), "MESSAGE_NOT_FOUND", { messageId });
          }
        });
      },
    ),
    behaviour("reverting an absent session is refused and creates no session", ["G17"], async (store) => {
      await expectError(store.revertToMessage("s", "m1"), ["SESSION_NOT_FOUND", "MESSAGE_NOT_FOUND"]);
      expect(await store.sessionExists("s")).toBe(false);
    }),
  ],
};
