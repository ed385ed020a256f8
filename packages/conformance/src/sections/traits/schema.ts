import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { errorOf } from "../../assertions/error-of.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectNotDurable } from "../../assertions/expect-not-durable.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import type { Place } from "../../harness.js";
import { contentsOf, user } from "../../samples/messages.js";

const canBeNewer = (_store: SessionStore, place: Place): boolean => place.newerFormat !== undefined;

const CALLS: readonly ((store: SessionStore) => PromiseLike<unknown>)[] = [
  (store) => store.getSession("s"),
  (store) => store.getSession("s", { messages: "none" }),
  (store) => store.getChatHistory("s", { limit: 1 }),
  (store) => store.exportSession("s"),
  (store) => store.addMessage("s", user("y")),
  (store) => store.updateSessionMetadata("s", { a: 1 }),
  (store) => store.getSession("s"),
];

export const schema: Section = {
  name: "schema",
  cases: [
    behaviour(
      "a description has the format that the store writes and the newest that it supports",
      ["G20"],
      async (store) => {
        const { format } = await store.describe();
        expect(Number.isSafeInteger(format.version)).toBe(true);
        expect(format.version).toBeLessThanOrEqual(format.supported);
      },
    ),
    behaviour(
      "data of a newer format is FORMAT_UNSUPPORTED, at opening or at the first call",
      ["G20"],
      async (store, { place, open }) => {
        await store.addMessage("s", user("x"));
        await store.close();
        await place.newerFormat?.();
        await expectError(async () => (await open()).getSession("s"), "FORMAT_UNSUPPORTED");
        await expectError(async () => (await open()).addMessage("s", user("y")), "FORMAT_UNSUPPORTED");
      },
      { applies: canBeNewer },
    ),
    behaviour(
      "a store that was open when the format changed writes nothing any more",
      ["G20"],
      async (store, { place }) => {
        await store.addMessage("s", user("x"));
        await place.newerFormat?.();
        await expectError(store.addMessage("t", user("into a new session")), "FORMAT_UNSUPPORTED");
      },
      { applies: canBeNewer },
    ),
    behaviour(
      "an open store that has read a session before refuses reads and writes of a newer format",
      ["G20"],
      async (store, { place }) => {
        await store.addMessage("s", user("x"));
        await store.getSession("s");
        await place.newerFormat?.();
        for (const call of CALLS) await expectError(() => call(store), "FORMAT_UNSUPPORTED");
      },
      { applies: canBeNewer },
    ),
    behaviour(
      "data of a newer format is not changed",
      ["G20"],
      async (store, { place, open }) => {
        await store.addMessage("s", user("x"));
        await store.close();
        await place.newerFormat?.();
        for (let n = 0; n < 2; n++) await errorOf(async () => (await open()).deleteSession("s"));
        await expectError(async () => (await open()).getSession("s"), "FORMAT_UNSUPPORTED");
      },
      { applies: canBeNewer },
    ),
    behaviour(
      "declared absent: a store whose place has no hook `newerFormat` is not durable",
      ["G20"],
      async (store) => {
        expectNotDurable(store, "newerFormat");
      },
      { applies: (_store, place) => place.newerFormat === undefined },
    ),
    behaviour("unknown fields of a message are kept by an extension", ["G20", "G9"], async (store) => {
      await store.addMessage("s", user("x", { id: "m", fromTheFuture: { a: [1] } }));
      await store.commit("s", { op: "extend", messageId: "m", text: "y" });
      const [message] = await store.getChatHistory("s");
      expect(contentsOf(message === undefined ? [] : [message])).toEqual(["xy"]);
      expect(message?.["fromTheFuture"]).toEqual({ a: [1] });
    }),
  ],
};
