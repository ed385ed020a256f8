import type { HistoryQuery } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

const queries: readonly (readonly [what: string, query: HistoryQuery, ids: readonly string[]])[] = [
  ["without options the history is all live messages", {}, ["m1", "m2", "m3", "m4", "m5"]],
  ["a limit selects the newest messages, in order", { limit: 2 }, ["m4", "m5"]],
  ["a limit of 0 selects no messages", { limit: 0 }, []],
  ["a limit greater than the history selects all messages", { limit: 9 }, ["m1", "m2", "m3", "m4", "m5"]],
  ["`before` selects the messages before one", { before: "m3" }, ["m1", "m2"]],
  ["`after` selects the messages after one", { after: "m3" }, ["m4", "m5"]],
  ["`after` and `before` select the messages between two", { after: "m1", before: "m5" }, ["m2", "m3", "m4"]],
  ["`before` and a limit select the newest messages before one", { before: "m4", limit: 2 }, ["m2", "m3"]],
  ["`after` and a limit select the newest messages after one", { after: "m1", limit: 2 }, ["m4", "m5"]],
  [
    "a token budget selects the newest messages that fit",
    { maxTokens: 3, countTokens: () => 1 },
    ["m3", "m4", "m5"],
  ],
  [
    "a token budget and a limit select the smaller of their selections",
    { maxTokens: 3, limit: 2, countTokens: () => 1 },
    ["m4", "m5"],
  ],
];

const wrong: readonly (readonly [what: string, query: unknown, path: string])[] = [
  ["a negative limit", { limit: -1 }, "limit"],
  ["a fractional limit", { limit: 1.5 }, "limit"],
  ["a limit that is not a number", { limit: "2" }, "limit"],
  ["a `roles` that is not a list", { roles: "user" }, "roles"],
  ["a negative token budget", { maxTokens: -1 }, "maxTokens"],
];

export const getChatHistory: Section = {
  name: "getChatHistory",
  covers: ["getChatHistory"],
  cases: [
    behaviour("an absent session has no history", ["G16"], async (store) => {
      expect(await store.getChatHistory("nobody")).toEqual([]);
      expect(await store.sessionExists("nobody")).toBe(false);
    }),
    ...queries.map(([what, query, ids]) =>
      behaviour(what, ["G11"], async (store) => {
        await store.addMessage("s", numbered(5));
        expect(idsOf(await store.getChatHistory("s", query))).toEqual(ids);
      }),
    ),
    behaviour(
      "`roles` selects messages by role, and the limit counts the selected ones",
      [],
      async (store) => {
        await store.addMessage("s", [user("a"), assistant("b"), user("c"), assistant("d"), assistant("e")]);
        expect(contentsOf(await store.getChatHistory("s", { roles: ["user"] }))).toEqual(["a", "c"]);
        expect(contentsOf(await store.getChatHistory("s", { roles: ["user"], limit: 1 }))).toEqual(["c"]);
        expect(
          contentsOf(await store.getChatHistory("s", { roles: ["assistant", "user"], limit: 3 })),
        ).toEqual(["c", "d", "e"]);
      },
    ),
    behaviour(
      "the last message of a role is found before hundreds of messages of another role",
      ["G11"],
      async (store) => {
        await store.addMessage("s", [{ role: "system", content: "rules" }, ...numbered(500)]);
        expect(contentsOf(await store.getChatHistory("s", { roles: ["system"], limit: 1 }))).toEqual([
          "rules",
        ]);
      },
    ),
    behaviour("an unknown message in `before` or `after` is MESSAGE_NOT_FOUND", [], async (store) => {
      await store.addMessage("s", numbered(2));
      await expectError(store.getChatHistory("s", { before: "m9" }), "MESSAGE_NOT_FOUND", {
        messageId: "m9",
      });
      await expectError(store.getChatHistory("s", { after: "m9" }), "MESSAGE_NOT_FOUND", { messageId: "m9" });
    }),
    behaviour("changing a returned history does not change the session", ["G4"], async (store) => {
      await store.addMessage("s", numbered(2));
      const history = await store.getChatHistory("s");
      history.pop();
      history.unshift();
      expect(idsOf(await store.getChatHistory("s"))).toEqual(["m1", "m2"]);
    }),
    ...wrong.map(([what, query, path]) =>
      behaviour(`${what} is refused`, [], async (store) => {
        await store.addMessage("s", numbered(2));
        const fields = { path: expect.stringContaining(path) };
        await expectError(
          store.getChatHistory("s", untyped<HistoryQuery>(query)),
          "INVALID_ARGUMENT",
          fields,
        );
      }),
    ),
  ],
};
