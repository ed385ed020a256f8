import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, idsOf, numbered, user } from "../../samples/messages.js";

export const updateMessage: Section = {
  name: "updateMessage",
  covers: ["updateMessage"],
  cases: [
    behaviour("an updated message keeps its position, id and time", ["G12"], async (store) => {
      const { messages } = await store.addMessage("s", [
        ...numbered(2),
        user("3", { id: "m3", metadata: { old: 1 } }),
      ]);
      const updated = await store.updateMessage("s", "m2", assistant("second", { metadata: { new: 1 } }));
      expect(updated).toMatchObject({ revision: 2, duplicate: false });
      const history = await store.getChatHistory("s");
      expect(idsOf(history)).toEqual(["m1", "m2", "m3"]);
      expect(history[1]).toEqual({
        id: "m2",
        role: "assistant",
        content: "second",
        createdAt: messages[1]?.createdAt,
        metadata: { new: 1 },
      });
      expect(history[2]).toEqual(messages[2]);
    }),
    behaviour("an update can set another time", [], async (store) => {
      await store.addMessage("s", numbered(1));
      await store.updateMessage("s", "m1", user("x", { createdAt: 77 }));
      expect(await store.getChatHistory("s")).toMatchObject([{ createdAt: 77 }]);
    }),
    behaviour("updating a message to what it is writes nothing", ["G5"], async (store) => {
      await store.addMessage("s", numbered(1));
      await expectUnchanged(store, "s", async () => {
        expect(await store.updateMessage("s", "m1", user("1"))).toMatchObject({
          revision: 1,
          duplicate: true,
        });
      });
    }),
    behaviour("updating an unknown message is MESSAGE_NOT_FOUND", ["G2"], async (store) => {
      await store.addMessage("s", numbered(1));
      await expectUnchanged(store, "s", () =>
        expectError(store.updateMessage("s", "m9", user("x")), "MESSAGE_NOT_FOUND", { messageId: "m9" }),
      );
    }),
    behaviour("updating an archived message is MESSAGE_NOT_FOUND", ["G15"], async (store) => {
      await store.addMessage("s", numbered(3));
      await store.archiveMessages("s", { keepRecent: 1 });
      await expectUnchanged(store, "s", () =>
        expectError(store.updateMessage("s", "m1", user("x")), "MESSAGE_NOT_FOUND"),
      );
    }),
    behaviour("updating a message of an absent session is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.updateMessage("s", "m1", user("x")), "SESSION_NOT_FOUND");
    }),
    behaviour(
      "an update can finish a draft, and a finished message cannot become partial again",
      ["G9"],
      async (store) => {
        await store.addMessage("s", assistant("dra", { id: "d", status: "partial" }));
        await store.updateMessage("s", "d", assistant("draft", { status: "partial" }));
        await store.updateMessage("s", "d", assistant("drafted"));
        expect((await store.getChatHistory("s"))[0]).not.toHaveProperty("status");
        await expectUnchanged(store, "s", () =>
          expectError(
            store.updateMessage("s", "d", assistant("again", { status: "partial" })),
            "INVALID_ARGUMENT",
            {
              path: expect.stringContaining("status"),
            },
          ),
        );
      },
    ),
    behaviour("a concurrent update and append are both applied", ["G4"], async (store, { open }) => {
      const other = await open();
      await store.addMessage("s", numbered(1));
      await Promise.all([
        store.updateMessage("s", "m1", user("updated")),
        other.addMessage("s", user("appended")),
      ]);
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["updated", "appended"]);
    }),
  ],
};
