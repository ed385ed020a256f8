import type { MessageInput } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

const wrong: readonly (readonly [what: string, message: unknown, path: string])[] = [
  ["that is not an object", "hello", ""],
  ["without a role", { content: "x" }, "role"],
  ["whose role is not a string", { role: 1, content: "x" }, "role"],
  ["whose id is not a string", { role: "user", id: 7 }, "id"],
  ["with an empty id", { role: "user", id: "" }, "id"],
  ["whose time is not a number", { role: "user", createdAt: "now" }, "createdAt"],
  ["with an unknown status", { role: "user", status: "done" }, "status"],
  ["whose metadata is not an object", { role: "user", metadata: [1] }, "metadata"],
];

export const addMessage: Section = {
  name: "addMessage",
  covers: ["addMessage"],
  cases: [
    behaviour("the first message creates the session", ["G5"], async (store) => {
      const added = await store.addMessage("s", user("hello"));
      expect(added).toMatchObject({
        revision: 1,
        duplicate: false,
        messages: [{ role: "user", content: "hello" }],
      });
      expect(await store.getChatHistory("s")).toEqual(added.messages);
    }),
    behaviour("several messages are added in one commit, in order", ["G2", "G5"], async (store) => {
      const added = await store.addMessage("s", numbered(3));
      expect(added.revision).toBe(1);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2", "m3"]);
    }),
    behaviour(
      "messages without an id and time get them, and messages with them keep them",
      ["G9"],
      async (store) => {
        const { messages } = await store.addMessage("s", [
          user("a"),
          user("b", { id: "mine", createdAt: 5 }),
        ]);
        expect(messages[0]?.id).toMatch(/.+/);
        expect(messages[0]?.createdAt).toBeGreaterThan(5);
        expect(messages[1]).toMatchObject({ id: "mine", createdAt: 5 });
        expect(await store.getChatHistory("s")).toEqual(messages);
      },
    ),
    behaviour(
      "generated message ids are different and sort in the order of the calls",
      ["G10"],
      async (store) => {
        const added = await Promise.all(
          Array.from({ length: 50 }, (_, n) => store.addMessage("s", user(`${n}`))),
        );
        const ids = added.flatMap((one) => idsOf(one.messages));
        expect(new Set(ids).size).toBe(50);
        expect(ids.toSorted()).toEqual(ids);
      },
    ),
    behaviour("a message may have another field in place of content", ["G9"], async (store) => {
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
    behaviour("undefined properties of a message are dropped, as in JSON", ["G9"], async (store) => {
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
      "a caller who changes a message after the call does not change the session",
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
    behaviour("adding an empty list writes nothing and creates no session", ["G5"], async (store) => {
      expect(await store.addMessage("s", [])).toEqual({ revision: 0, duplicate: true, messages: [] });
      expect(await store.sessionExists("s")).toBe(false);
    }),
    behaviour("appends that are not awaited are applied in call order", ["G4"], async (store) => {
      const adding = Array.from({ length: 30 }, (_, n) => store.addMessage("s", user(`${n}`)));
      await Promise.all(adding);
      const expected = Array.from({ length: 30 }, (_, n) => `${n}`);
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(expected);
    }),
    behaviour("the same message twice in one call is added once and returned once", ["G6"], async (store) => {
      const twice = user("x", { id: "m" });
      const { messages } = await store.addMessage("s", [twice, user("y", { id: "n" }), twice]);
      expect(idsOf(messages)).toEqual(["m", "n"]);
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m", "n"]);
      const again = await store.addMessage("s", [twice, twice, user("z", { id: "o" })]);
      expect(idsOf(again.messages)).toEqual(["o"]);
    }),
    ...wrong.map(([what, message, path]) =>
      behaviour(`a message ${what} is refused, and so are the others of its call`, ["G2"], async (store) => {
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
