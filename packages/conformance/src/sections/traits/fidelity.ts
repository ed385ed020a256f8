import { append, type Json, type Message, type SessionStore, set } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectSameJson } from "../../assertions/expect-same-json.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { hostileTexts, hostileValues, notJson } from "../../samples/hostile-json.js";
import { numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

const everything: readonly (readonly [what: string, value: Json])[] = [
  ...Object.entries(hostileTexts),
  ...Object.entries(hostileValues),
];

/** The fields of a message without those that the store adds. */
function callerFields(message: Message | undefined): object {
  const { id: _id, createdAt: _at, ...fields } = message ?? {};
  return fields;
}

/** Every operation that reads, moves or copies messages. */
const roundTrips: readonly (readonly [what: string, run: (store: SessionStore) => Promise<Message[]>])[] = [
  ["a read", (store) => store.getChatHistory("s")],
  ["a point read", (store) => store.getMessages("s", ["odd"])],
  [
    "a replace with what was read",
    async (store) => {
      await store.setChatHistory("s", [...(await store.getChatHistory("s")), user("more")]);
      return (await store.getChatHistory("s")).slice(0, 1);
    },
  ],
  [
    "an update of another message",
    async (store) => {
      await store.addMessage("s", numbered(1));
      await store.updateMessage("s", "m1", user("changed"));
      return (await store.getChatHistory("s")).slice(0, 1);
    },
  ],
  [
    "an archive",
    async (store) => {
      const archive = await store.archiveMessages("s");
      return (await store.getArchive("s", archive?.id ?? "")).messages;
    },
  ],
  [
    "a snapshot and a revert",
    async (store) => {
      await store.createSnapshot("s", "mark");
      await store.clearSession("s");
      await store.revertToSnapshot("s", "mark");
      return store.getChatHistory("s");
    },
  ],
  [
    "a fork",
    async (store) => {
      const { sessionId } = await store.forkSession("s");
      return store.getChatHistory(sessionId);
    },
  ],
  [
    "a bundle",
    async (store) => {
      const bundle: Awaited<ReturnType<typeof store.exportSession>> = JSON.parse(
        JSON.stringify(await store.exportSession("s")),
      );
      const { sessionId } = await store.importSession(bundle, { newId: "copy" });
      return store.getChatHistory(sessionId);
    },
  ],
  [
    "an update by itself",
    async (store) => {
      const [message] = await store.getChatHistory("s");
      if (message !== undefined) await store.updateMessage("s", message.id, { ...message, more: 1 });
      if (message !== undefined) await store.updateMessage("s", message.id, message);
      return store.getChatHistory("s");
    },
  ],
  ["a pop", async (store) => (await store.popMessage("s")).messages],
  ["a context", async (store) => (await store.getContext("s", { maxTokens: 1_000_000 })).messages],
];

/** Every method that takes JSON. */
const inputs: readonly (readonly [
  what: string,
  send: (store: SessionStore, payload: object) => Promise<unknown>,
])[] = [
  ["addMessage", (store, payload) => store.addMessage("s", user("x", { payload }))],
  ["message metadata", (store, payload) => store.addMessage("s", user("x", { metadata: { payload } }))],
  [
    "message parts",
    (store, payload) => store.addMessage("s", { role: "user", content: [{ type: "text", payload }] }),
  ],
  ["setChatHistory", (store, payload) => store.setChatHistory("s", [user("x"), user("y", { payload })])],
  ["updateMessage", (store, payload) => store.updateMessage("s", "m1", user("x", { payload }))],
  ["createSession", (store, payload) => store.createSession("n", { metadata: { payload } })],
  ["updateSessionMetadata", (store, payload) => store.updateSessionMetadata("s", { payload })],
  ["patchSession", (store, payload) => store.patchSession("s", { title: "new", metadata: { payload } })],
  ["commit", (store, payload) => store.commit("s", [set({ title: "new" }), append(user("x", { payload }))])],
  ["forkSession", (store, payload) => store.forkSession("s", { newId: "n", metadata: { payload } })],
  ["beginTurn", (store, payload) => store.beginTurn("s", { messages: user("x", { payload }) })],
];

export const fidelity: Section = {
  name: "fidelity",
  cases: [
    ...Object.entries(hostileTexts).map(([what, text]) =>
      behaviour(
        `${what} in content, title, metadata and summaries is stored unchanged`,
        ["G9"],
        async (store, { open }) => {
          await store.createSession("s", {
            title: text,
            metadata: { text },
            messages: [user(text), user("last")],
          });
          const archive = await store.archiveMessages("s", { keepRecent: 1 });
          await store.settleArchive("s", archive?.id ?? "", { summary: text });
          const other = await open();
          const session = await existingSession(other, "s");
          expectSameJson([session.title, session.metadata], [text, { text }]);
          const [archived] = await other.listArchives("s");
          expectSameJson((await other.getArchive("s", archived?.id ?? "")).messages[0]?.content, text);
          expectSameJson(archived?.summary.status === "done" ? archived.summary.text : undefined, text);
        },
      ),
    ),
    ...Object.entries(hostileValues).map(([what, value]) =>
      behaviour(
        `${what} in metadata and unknown fields is stored unchanged`,
        ["G9"],
        async (store, { open }) => {
          const message = {
            role: "user",
            unknown: value,
            metadata: { value },
            content: [{ type: "odd", value }],
          };
          await store.createSession("s", { metadata: { value }, messages: [message] });
          await store.updateSessionMetadata("s", { again: value });
          const session = await existingSession(await open(), "s");
          expectSameJson(callerFields(session.messages[0]), message);
          expectSameJson(session.metadata, { value, again: value });
        },
      ),
    ),
    ...roundTrips.map(([what, run]) =>
      behaviour(
        `a message with every unusual text and value is unchanged by ${what}`,
        ["G9", "G12"],
        async (store) => {
          const fields = Object.fromEntries(
            everything.filter(([name]) => name !== "64 KiB").map(([, value], n) => [`f${n}`, value]),
          );
          const message = {
            role: "user",
            content: [{ type: "odd", ...fields }],
            metadata: fields,
            createdAt: 12_345,
            ...fields,
          };
          await store.addMessage("s", { id: "odd", ...message });
          const [before] = await store.getChatHistory("s");
          const [after] = await run(store);
          expectSameJson(callerFields(after), callerFields(before));
          expect(after).toMatchObject({ id: "odd", createdAt: 12_345 });
          expectSameJson(after?.metadata, fields);
        },
      ),
    ),
    behaviour("names of labels and counters may be names of object properties", ["G9"], async (store) => {
      const labels: Record<string, string> = JSON.parse(
        '{"__proto__":"a","constructor":"b","é":"c","x.y":"d","0":"e"}',
      );
      const counters: Record<string, number> = JSON.parse('{"__proto__":1,"constructor":2,"toString":3}');
      await store.createSession("s", { labels, counters });
      await store.incrementCounters("s", counters);
      const session = await existingSession(store, "s");
      expectSameJson(session.labels, labels);
      expectSameJson(
        Object.entries(session.counters),
        Object.entries(counters).map(([name, value]) => [name, value * 2]),
      );
      for (const [name, value] of Object.entries(labels)) {
        const page = await store.listSessions({ labels: Object.fromEntries([[name, value]]) });
        expect(
          page.items.map((item) => item.id),
          name,
        ).toEqual(["s"]);
      }
    }),
    behaviour("metadata keys may be names of object properties", ["G9"], async (store) => {
      const metadata: object = JSON.parse(
        '{"__proto__":{"polluted":1},"constructor":2,"a.b":3,"a":{"b":4},"z":5,"y":6}',
      );
      await store.createSession("s", { metadata });
      expectSameJson((await existingSession(store, "s")).metadata, metadata);
      await store.updateSessionMetadata("s", JSON.parse('{"__proto__":null}'));
      expect(Object.keys((await existingSession(store, "s")).metadata)).toEqual([
        "constructor",
        "a.b",
        "a",
        "z",
        "y",
      ]);
      expect("polluted" in {}).toBe(false);
    }),
    behaviour(
      "a draft that is extended in the middle of a surrogate pair has the whole character",
      ["G9"],
      async (store) => {
        const turn = await startTurn(store, "s");
        await turn.append({ role: "assistant", id: "d", content: "a\ud83d", status: "partial" });
        await turn.extend("d", { text: "\ude00b" });
        await turn.complete();
        expect(await store.getChatHistory("s")).toMatchObject([{ content: "a😀b" }]);
      },
    ),
    ...notJson.map(([what, value]) =>
      behaviour(
        `${what} in a message is refused with the path to it, and nothing is written`,
        ["G9", "G2"],
        async (store) => {
          await store.addMessage("s", numbered(1));
          const message = user("x", { payload: { list: [1, value] } });
          await expectUnchanged(store, "s", () =>
            expectError(store.addMessage("s", [user("fine"), message]), "INVALID_ARGUMENT", {
              path: expect.stringMatching(/1.*payload.*list.*1/),
            }),
          );
        },
      ),
    ),
    ...inputs.map(([what, send]) =>
      behaviour(
        `${what} refuses a value that is not JSON with the path to it`,
        ["G9", "G2"],
        async (store) => {
          await store.addMessage("s", numbered(1));
          await expectUnchanged(store, "s", () =>
            expectError(send(store, { deep: [Number.NaN] }), "INVALID_ARGUMENT", {
              path: expect.stringMatching(/payload.*deep.*0/),
            }),
          );
          expect(await store.sessionExists("n")).toBe(false);
        },
      ),
    ),
  ],
};
