import type { GetSessionOptions, SessionMessages } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered, toolCalls, toolResult, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

const windows: readonly (readonly [what: string, messages: SessionMessages, ids: readonly string[]])[] = [
  ["all messages", "all", ["m1", "m2", "m3", "m4", "m5"]],
  ["no messages", "none", []],
  ["the last two messages", { last: 2 }, ["m4", "m5"]],
  ["the last 0 messages", { last: 0 }, []],
  ["more messages than there are", { last: 50 }, ["m1", "m2", "m3", "m4", "m5"]],
  ["the messages after one", { after: "m3" }, ["m4", "m5"]],
  ["the messages after the last", { after: "m5" }, []],
];

const wrong: readonly (readonly [what: string, messages: unknown])[] = [
  ["a negative count", { last: -1 }],
  ["a fractional count", { last: 1.5 }],
  ["an unknown selection of messages", "some"],
];

export const getSession: Section = {
  name: "getSession",
  covers: ["getSession"],
  cases: [
    behaviour("an absent session reads as undefined", ["G16"], async (store) => {
      expect(await store.getSession("nobody")).toBeUndefined();
    }),
    ...windows.map(([what, messages, ids]) =>
      behaviour(
        `a session is returned with exactly the selected messages: ${what}`,
        ["G18"],
        async (store) => {
          await store.addMessage("s", numbered(5));
          const session = await existingSession(store, "s", { messages });
          expect(idsOf(session.messages)).toEqual(ids);
          expect(session).toMatchObject({ messageCount: 5, revision: 1 });
        },
      ),
    ),
    behaviour("a selection by count may separate a tool result from its call", [], async (store) => {
      await store.addMessage("s", [user("look"), toolCalls("c1"), toolResult("c1")]);
      const { messages } = await existingSession(store, "s", { messages: { last: 1 } });
      expect(messages).toMatchObject([{ role: "tool" }]);
    }),
    behaviour("selecting the messages after an unknown one is MESSAGE_NOT_FOUND", [], async (store) => {
      await store.addMessage("s", numbered(2));
      const fields = { messageId: "m9" };
      await expectError(store.getSession("s", { messages: { after: "m9" } }), "MESSAGE_NOT_FOUND", fields);
    }),
    ...wrong.map(([what, messages]) =>
      behaviour(`${what} is refused`, [], async (store) => {
        await store.addMessage("s", numbered(2));
        const options = untyped<GetSessionOptions>({ messages });
        await expectError(store.getSession("s", options), "INVALID_ARGUMENT", {
          path: expect.stringContaining("messages"),
        });
      }),
    ),
    behaviour("a caller who changes a result does not change the session", ["G4"], async (store) => {
      const added = await store.addMessage(
        "s",
        user("kept", { id: "m", createdAt: 7, metadata: { tags: ["a"] } }),
      );
      overwrite(added.messages);
      await store.updateSessionMetadata("s", { deep: { list: [1] } });
      await store.createSnapshot("s", "mark");
      const before = JSON.stringify(await store.getSession("s"));
      expect(before).toContain('"metadata":{"tags":["a"]}');
      for (const result of [
        await existingSession(store, "s"),
        await store.getChatHistory("s"),
        await store.exportSession("s"),
      ])
        overwrite(result);
      overwrite(await store.listSessions());
      expect(JSON.stringify(await store.getSession("s"))).toBe(before);
    }),
    behaviour("the store sets createdAt once and updatedAt with every commit", [], async (store) => {
      await store.addMessage("s", user("one"));
      const first = await existingSession(store, "s");
      expect(first.createdAt).toBeGreaterThan(0);
      expect(first.updatedAt).toBeGreaterThanOrEqual(first.createdAt);
      await store.updateSessionMetadata("s", { a: 1 });
      const second = await existingSession(store, "s");
      expect(second.createdAt).toBe(first.createdAt);
      expect(second.updatedAt).toBeGreaterThanOrEqual(first.updatedAt);
    }),
  ],
};

/** Overwrites everything that is not frozen. */
function overwrite(value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "object" && inner !== null) overwrite(inner);
    Reflect.set(value, key, "overwritten");
  }
}
