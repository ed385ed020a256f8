import type { SessionInit } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

const TOMORROW = Date.now() + 86_400_000;

const init = {
  title: "Plans",
  labels: { agent: "planner", user: "ada" },
  metadata: { mood: { calm: true }, list: [] },
  counters: { turns: 2 },
  expiresAt: TOMORROW,
};

const wrong: readonly (readonly [what: string, init: unknown, path: string])[] = [
  ["a label that is not a string", { labels: { agent: 7 } }, "agent"],
  ["a counter that is not an integer", { counters: { turns: 0.5 } }, "turns"],
  ["metadata that is not JSON", { metadata: { when: new Date() } }, "when"],
  ["a message without a role", { messages: [{ role: "user", content: "a" }, { content: "b" }] }, "1"],
  ["an expiry that is not a time", { expiresAt: Number.NaN }, "expiresAt"],
  ["a title that is not a string", { title: 7 }, "title"],
];

export const createSession: Section = {
  name: "createSession",
  covers: ["createSession"],
  cases: [
    behaviour(
      "a new session has all that it was created with, at revision 1",
      ["G5", "G9"],
      async (store) => {
        const made = await store.createSession("s", { ...init, messages: [user("one"), user("two")] });
        expect(made).toMatchObject({ revision: 1, duplicate: false });
        expect(contentsOf(made.messages)).toEqual(["one", "two"]);
        const session = await existingSession(store, "s");
        expect(session).toMatchObject({ id: "s", revision: 1, messageCount: 2, ...init });
        expect(session.messages).toEqual(made.messages);
      },
    ),
    behaviour("a session can be created empty", [], async (store) => {
      expect(await store.createSession("s")).toEqual({ revision: 1, duplicate: false, messages: [] });
      expect(await existingSession(store, "s")).toMatchObject({
        messages: [],
        labels: {},
        metadata: {},
        counters: {},
        archives: [],
      });
    }),
    behaviour("creating an existing session is SESSION_EXISTS and changes nothing", ["G4"], async (store) => {
      await store.addMessage("s", user("precious"));
      await expectError(store.createSession("s", { title: "new" }), "SESSION_EXISTS", { sessionId: "s" });
      const session = await existingSession(store, "s");
      expect(contentsOf(session.messages)).toEqual(["precious"]);
      expect(session).not.toHaveProperty("title");
    }),
    behaviour(
      "of many concurrent creators of one session exactly one succeeds",
      ["G4"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        const tries = stores.flatMap((one, s) =>
          [1, 2].map((n) => one.createSession("s", { title: `${s}.${n}` })),
        );
        const results = await Promise.allSettled(tries);
        expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
        for (const result of results) {
          if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "SESSION_EXISTS" });
        }
        const winner = results.findIndex((result) => result.status === "fulfilled");
        expect(await existingSession(store, "s")).toMatchObject({
          revision: 1,
          title: `${Math.floor(winner / 2)}.${(winner % 2) + 1}`,
        });
      },
    ),
    behaviour(
      "a concurrent create and append lose no acknowledged message",
      ["G4"],
      async (store, { open }) => {
        const other = await open();
        const [created] = await Promise.allSettled([
          store.createSession("s"),
          other.addMessage("s", user("acknowledged")),
        ]);
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["acknowledged"]);
        if (created.status === "rejected") expect(created.reason).toMatchObject({ code: "SESSION_EXISTS" });
      },
    ),
    behaviour(
      "a session created under a deleted id is empty and has a greater revision",
      ["G5"],
      async (store) => {
        await store.createSession("s", { title: "old" });
        await store.addMessage("s", user("old"));
        await store.deleteSession("s");
        const made = await store.createSession("s");
        expect(made.revision).toBeGreaterThan(2);
        const session = await existingSession(store, "s");
        expect(session.messages).toEqual([]);
        expect(session).not.toHaveProperty("title");
      },
    ),
    ...wrong.map(([what, bad, path]) =>
      behaviour(`${what} is refused, and no session is created`, ["G2"], async (store) => {
        const fields = { path: expect.stringContaining(path) };
        await expectError(store.createSession("s", untyped<SessionInit>(bad)), "INVALID_ARGUMENT", fields);
        expect(await store.sessionExists("s")).toBe(false);
      }),
    ),
    behaviour("a metadata key that is null is left out of a new session", ["G9"], async (store) => {
      await store.createSession("s", { metadata: { kept: 1, gone: null } });
      expect((await existingSession(store, "s")).metadata).toEqual({ kept: 1 });
    }),
  ],
};
