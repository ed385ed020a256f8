import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { searchOf } from "../../assertions/search-of.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { assistant, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

const canSearch = (store: SessionStore): boolean => store.capabilities.search.supported;

type Query = Parameters<NonNullable<SessionStore["search"]>>[0];

async function hits(store: SessionStore, query: Query): Promise<string[]> {
  return (await searchOf(store)(query)).items.map((hit) => `${hit.sessionId}/${hit.messageId}`).toSorted();
}

export const search: Section = {
  name: "search",
  covers: ["search"],
  cases: [
    behaviour(
      "messages are found by their text, in any script",
      ["G3"],
      async (store) => {
        await store.addMessage("a", [
          user("the quick fox", { id: "m1" }),
          user("der schnelle Fuchs", { id: "m2" }),
        ]);
        await store.addMessage("b", [user("素早い狐", { id: "m1" })]);
        await eventually(async () => expect(await hits(store, { text: "quick" })).toEqual(["a/m1"]));
        expect(await hits(store, { text: "schnelle" })).toEqual(["a/m2"]);
        expect(await hits(store, { text: "素早い" })).toEqual(["b/m1"]);
      },
      { applies: canSearch },
    ),
    behaviour(
      "quotes and operators in a search are plain text",
      ["G9"],
      async (store) => {
        await store.addMessage("a", user('say "hello" AND (wave) OR -run* ^now', { id: "m1" }));
        for (const text of ['"hello"', "AND", "(wave)", "run*", "^now", "'; DROP", '"', "NEAR(", "%", "\\"]) {
          expect(Array.isArray(await hits(store, { text }))).toBe(true);
        }
        expect(await hits(store, { text: "hello" })).toEqual(["a/m1"]);
      },
      { applies: canSearch },
    ),
    behaviour(
      "a draft that was finished by the completion of its turn is found",
      ["G3"],
      async (store) => {
        const turn = await startTurn(store, "a");
        await turn.append(assistant("hay", { id: "m1", status: "partial" }));
        await turn.extend("m1", { text: " and needle" });
        await turn.complete();
        await eventually(async () => expect(await hits(store, { text: "needle" })).toEqual(["a/m1"]));
      },
      { applies: canSearch },
    ),
    behaviour(
      "labels and roles narrow a search",
      [],
      async (store) => {
        await store.createSession("a", { labels: { user: "ada" }, messages: [user("needle", { id: "m1" })] });
        await store.createSession("b", {
          labels: { user: "bob" },
          messages: [{ role: "assistant", content: "needle", id: "m1" }],
        });
        expect(await hits(store, { text: "needle", labels: { user: "ada" } })).toEqual(["a/m1"]);
        expect(await hits(store, { text: "needle", roles: ["assistant"] })).toEqual(["b/m1"]);
      },
      { applies: canSearch },
    ),
    behaviour(
      "removed messages and those of deleted sessions are no longer found",
      ["G3", "G17"],
      async (store) => {
        await store.addMessage("a", [user("needle", { id: "m1" }), user("needle", { id: "m2" })]);
        await store.addMessage("b", user("needle", { id: "m1" }));
        await store.removeMessages("a", "m1");
        await store.deleteSession("b");
        expect(await hits(store, { text: "needle" })).toEqual(["a/m2"]);
      },
      { applies: canSearch },
    ),
    behaviour(
      "declared absent: there is no search(), and the reason is a sentence",
      [],
      async (store) => {
        expect(store.search).toBeUndefined();
        const { search: capability } = store.capabilities;
        expect(capability.supported ? "" : capability.reason).toMatch(/\w+ \w+/);
      },
      { applies: (store) => !canSearch(store) },
    ),
  ],
};
