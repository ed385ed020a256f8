import type { Context, ContextQuery, SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, numbered, toolCalls, toolResult, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

/** A budget of this many messages: each counts as one token. */
const each = (maxTokens: number): ContextQuery => ({ maxTokens, countTokens: () => 1 });

/** Six messages: 1 and 2 in an archive, 3 and 4 in another, 5 and 6 live. */
async function archivedTwice(store: SessionStore): Promise<[string, string]> {
  await store.addMessage("s", numbered(6));
  const first = await store.archiveMessages("s", { keepRecent: 4 });
  const second = await store.archiveMessages("s", { keepRecent: 2 });
  return [first?.id ?? "", second?.id ?? ""];
}

function outline(context: Context): string[] {
  return context.messages.map((message) =>
    message.role === "system" ? `(${String(message.content)})` : message.id,
  );
}

export const getContext: Section = {
  name: "getContext",
  covers: ["getContext"],
  cases: [
    behaviour("settled summaries come before the messages that they do not cover", ["G15"], async (store) => {
      const [first, second] = await archivedTwice(store);
      await store.settleArchive("s", first, { summary: "one" });
      await store.settleArchive("s", second, { summary: "two" });
      const context = await store.getContext("s", each(100));
      const [one, two, ...messages] = outline(context);
      expect(one).toContain("one");
      expect(two).toContain("two");
      expect(messages).toEqual(["m5", "m6"]);
      expect(context).toMatchObject({ tokens: 4, omitted: { archiveIds: [], messages: 0 } });
    }),
    behaviour(
      "an archive with a pending or failed summary contributes its messages",
      ["G15"],
      async (store) => {
        const [first] = await archivedTwice(store);
        expect(outline(await store.getContext("s", each(100)))).toEqual(["m1", "m2", "m3", "m4", "m5", "m6"]);
        await store.settleArchive("s", first, { error: "no model" });
        expect(outline(await store.getContext("s", each(100)))).toEqual(["m1", "m2", "m3", "m4", "m5", "m6"]);
      },
    ),
    behaviour("a summary replaces exactly the messages of its archive", ["G15"], async (store) => {
      const [first] = await archivedTwice(store);
      await store.settleArchive("s", first, { summary: "one" });
      const [summary, ...messages] = outline(await store.getContext("s", each(100)));
      expect(summary).toContain("one");
      expect(messages).toEqual(["m3", "m4", "m5", "m6"]);
    }),
    behaviour("the oldest messages are left out first, and `omitted` counts them", ["G15"], async (store) => {
      await archivedTwice(store);
      const context = await store.getContext("s", each(3));
      expect(outline(context)).toEqual(["m4", "m5", "m6"]);
      expect(context).toMatchObject({ tokens: 3, omitted: { archiveIds: [], messages: 3 } });
    }),
    behaviour("no older message is included after one that did not fit", ["G15"], async (store) => {
      await store.addMessage("s", [
        user("tiny", { id: "a" }),
        user("huge", { id: "b" }),
        user("tiny", { id: "c" }),
      ]);
      const countTokens: ContextQuery["countTokens"] = (message) => (message.content === "huge" ? 50 : 1);
      const context = await store.getContext("s", { maxTokens: 10, countTokens });
      expect(outline(context)).toEqual(["c"]);
      expect(context.omitted.messages).toBe(2);
    }),
    behaviour(
      "a context has a tool call with all of its results, or none of them",
      ["G11"],
      async (store) => {
        await store.addMessage("s", [
          user("look", { id: "q" }),
          toolCalls("c1"),
          toolResult("c1"),
          assistant("seen", { id: "z" }),
        ]);
        const roles = async (budget: number): Promise<string[]> =>
          (await store.getContext("s", each(budget))).messages.map((message) => message.role);
        expect(await roles(2)).toEqual(["assistant"]);
        expect(await roles(3)).toEqual(["assistant", "tool", "assistant"]);
        expect(await roles(4)).toEqual(["user", "assistant", "tool", "assistant"]);
      },
    ),
    behaviour("the default token count keeps within the budget", ["G11"], async (store) => {
      await store.addMessage(
        "s",
        Array.from({ length: 40 }, (_, n) => user(`${n} `.repeat(200))),
      );
      const context = await store.getContext("s", { maxTokens: 2000 });
      expect(context.tokens).toBeLessThanOrEqual(2000);
      expect(context.messages.length).toBeGreaterThan(0);
      expect(context.messages.length + context.omitted.messages).toBe(40);
    }),
    behaviour("an absent session has an empty context", ["G16"], async (store) => {
      const nothing = { messages: [], tokens: 0, omitted: { archiveIds: [], messages: 0 } };
      expect(await store.getContext("nobody", each(5))).toEqual(nothing);
    }),
    behaviour("a token budget that is negative or not a number is refused", [], async (store) => {
      await store.addMessage("s", numbered(1));
      for (const maxTokens of [-1, Number.NaN, "many", undefined]) {
        const query = untyped<ContextQuery>({ maxTokens });
        await expectError(store.getContext("s", query), "INVALID_ARGUMENT", {
          path: expect.stringContaining("maxTokens"),
        });
      }
    }),
  ],
};
