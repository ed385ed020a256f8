import type { HistoryQuery } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

const queries: readonly (readonly [what: string, query: HistoryQuery, ids: readonly string[]])[] = [
  ["everything by default", {}, ["m1", "m2", "m3", "m4", "m5"]],
  ["a limit takes the newest, in order", { limit: 2 }, ["m4", "m5"]],
  ["a limit of 0 is nothing", { limit: 0 }, []],
  ["a limit beyond the end is everything", { limit: 9 }, ["m1", "m2", "m3", "m4", "m5"]],
  ["before one", { before: "m3" }, ["m1", "m2"]],
  ["after one", { after: "m3" }, ["m4", "m5"]],
  ["between two", { after: "m1", before: "m5" }, ["m2", "m3", "m4"]],
  ["the newest before one", { before: "m4", limit: 2 }, ["m2", "m3"]],
  ["the newest after one", { after: "m1", limit: 2 }, ["m4", "m5"]],
  ["a budget takes the newest that fit", { maxTokens: 3, countTokens: () => 1 }, ["m3", "m4", "m5"]],
  ["a budget and a limit, whichever is less", { maxTokens: 3, limit: 2, countTokens: () => 1 }, ["m4", "m5"]],
];

const wrong: readonly (readonly [what: string, query: unknown, path: string])[] = [
  ["a negative limit", { limit: -1 }, "limit"],
  ["a broken limit", { limit: 1.5 }, "limit"],
  ["a limit that is no number", { limit: "2" }, "limit"],
  ["roles that are no list", { roles: "user" }, "roles"],
  ["a negative budget", { maxTokens: -1 }, "maxTokens"],
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
    behaviour("roles choose, and the limit counts what is chosen", [], async (store) => {
      await store.addMessage("s", [user("a"), assistant("b"), user("c"), assistant("d"), assistant("e")]);
      expect(contentsOf(await store.getChatHistory("s", { roles: ["user"] }))).toEqual(["a", "c"]);
      expect(contentsOf(await store.getChatHistory("s", { roles: ["user"], limit: 1 }))).toEqual(["c"]);
      expect(contentsOf(await store.getChatHistory("s", { roles: ["assistant", "user"], limit: 3 }))).toEqual(
        ["c", "d", "e"],
      );
    }),
    behaviour("a role that is rare is found far back", ["G11"], async (store) => {
      await store.addMessage("s", [{ role: "system", content: "rules" }, ...numbered(500)]);
      expect(contentsOf(await store.getChatHistory("s", { roles: ["system"], limit: 1 }))).toEqual(["rules"]);
    }),
    behaviour("an unknown boundary is MESSAGE_NOT_FOUND, not an empty answer", [], async (store) => {
      await store.addMessage("s", numbered(2));
      await expectError(store.getChatHistory("s", { before: "m9" }), "MESSAGE_NOT_FOUND", {
        messageId: "m9",
      });
      await expectError(store.getChatHistory("s", { after: "m9" }), "MESSAGE_NOT_FOUND", { messageId: "m9" });
    }),
    behaviour("the result is the caller's own array", ["G4"], async (store) => {
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
