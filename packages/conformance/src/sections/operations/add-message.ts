import type { MessageInput } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

const wrong: readonly (readonly [what: string, message: unknown, path: string])[] = [
  ["no object", "hello", ""],
  ["without a role", { content: "x" }, "role"],
  ["with a role that is no string", { role: 1, content: "x" }, "role"],
  ["with an id that is no string", { role: "user", id: 7 }, "id"],
  ["with an empty id", { role: "user", id: "" }, "id"],
  ["with a time that is no number", { role: "user", createdAt: "now" }, "createdAt"],
  ["with an unknown status", { role: "user", status: "done" }, "status"],
  ["with metadata that is no object", { role: "user", metadata: [1] }, "metadata"],
];

export const addMessage: Section = {
  name: "addMessage",
  covers: ["addMessage"],
  cases: [
    behaviour("the first message makes the session", ["G5"], async (store) => {
      const added = await store.addMessage("s", user("hello"));
      expect(added).toMatchObject({
        revision: 1,
        duplicate: false,
        messages: [{ role: "user", content: "hello" }],
      });
      expect(await store.getChatHistory("s")).toEqual(added.messages);
    }),
    behaviour("several messages are one commit, in order", ["G2", "G5"], async (store) => {
      const added = await store.addMessage("s", numbered(3));
      expect(added.revision).toBe(1);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2", "m3"]);
    }),
    behaviour("messages get ids and times; those that have them keep them", ["G9"], async (store) => {
      const { messages } = await store.addMessage("s", [user("a"), user("b", { id: "mine", createdAt: 5 })]);
      expect(messages[0]?.id).toMatch(/.+/);
      expect(messages[0]?.createdAt).toBeGreaterThan(5);
      expect(messages[1]).toMatchObject({ id: "mine", createdAt: 5 });
      expect(await store.getChatHistory("s")).toEqual(messages);
    }),
    behaviour("generated ids differ and sort in the order of the calls", ["G10"], async (store) => {
      const added = await Promise.all(
        Array.from({ length: 50 }, (_, n) => store.addMessage("s", user(`${n}`))),
      );
      const ids = added.flatMap((one) => idsOf(one.messages));
      expect(new Set(ids).size).toBe(50);
      expect(ids.toSorted()).toEqual(ids);
    }),
    behaviour("content may be absent, and another field carry the body", ["G9"], async (store) => {
      const parts = [{ type: "text", text: "hi" }];
      const { messages } = await store.addMessage("s", [
        { role: "user", parts },
        { role: "tool", item: { a: [] } },
      ]);
      expect(messages).toMatchObject([
        { role: "user", parts },
        { role: "tool", item: { a: [] } },
      ]);
      for (const message of messages) expect(message).not.toHaveProperty("content");
    }),
    behaviour("properties that are undefined are dropped, as JSON does", ["G9"], async (store) => {
      const message = {
        role: "user",
        content: "x",
        id: undefined,
        name: undefined,
        metadata: { a: undefined, b: 1 },
      };
      const { messages } = await store.addMessage("s", message);
      expect(messages[0]).not.toHaveProperty("name");
      expect(messages[0]?.metadata).toEqual({ b: 1 });
      expect(Object.keys(messages[0]?.metadata ?? {})).toEqual(["b"]);
    }),
    behaviour(
      "what the caller does to a message after the call does not reach the session",
      ["G9"],
      async (store) => {
        const message = { role: "user", content: "as given", metadata: { tags: ["a"] } };
        const adding = store.addMessage("s", message);
        message.content = "changed";
        message.metadata.tags.push("b");
        await adding;
        expect(await store.getChatHistory("s")).toMatchObject([
          { content: "as given", metadata: { tags: ["a"] } },
        ]);
      },
    ),
    behaviour("an empty list writes nothing and makes no session", ["G5"], async (store) => {
      expect(await store.addMessage("s", [])).toEqual({ revision: 0, duplicate: true, messages: [] });
      expect(await store.sessionExists("s")).toBe(false);
    }),
    behaviour("calls that are not awaited are applied in call order", ["G4"], async (store) => {
      const adding = Array.from({ length: 30 }, (_, n) => store.addMessage("s", user(`${n}`)));
      await Promise.all(adding);
      const expected = Array.from({ length: 30 }, (_, n) => `${n}`);
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(expected);
    }),
    behaviour("the same message twice in one call is added once, and told once", ["G6"], async (store) => {
      const twice = user("x", { id: "m" });
      const { messages } = await store.addMessage("s", [twice, user("y", { id: "n" }), twice]);
      expect(idsOf(messages)).toEqual(["m", "n"]);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m", "n"]);
      const again = await store.addMessage("s", [twice, twice, user("z", { id: "o" })]);
      expect(idsOf(again.messages)).toEqual(["o"]);
    }),
    ...wrong.map(([what, message, path]) =>
      behaviour(`a message ${what} is refused, and so is the batch around it`, ["G2"], async (store) => {
        await store.addMessage("s", user("before"));
        const batch = [user("fine"), untyped<MessageInput>(message), user("fine too")];
        const fields = { path: expect.stringMatching(new RegExp(`1.*${path}`)) };
        await expectUnchanged(store, "s", () =>
          expectError(store.addMessage("s", batch), "INVALID_ARGUMENT", fields),
        );
      }),
    ),
  ],
};
