import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered, user } from "../../samples/messages.js";

const MIB = 1024 * 1024;

const labels = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`l${n}`, "x"]));

/** Calls that exceed a limit by little. */
const tooLarge: Readonly<Record<string, (store: SessionStore) => Promise<unknown>>> = {
  "a message of more than 8 MiB": (store) =>
    store.addMessage("s", [user("small"), user("x".repeat(8 * MIB))]),
  "a message of more than 8 MiB in few characters": (store) =>
    store.addMessage("s", user("😀".repeat(2 * MIB))),
  "an extension by more than 8 MiB": (store) =>
    store.commit("s", { op: "extend", messageId: "m1", reasoning: "x".repeat(8 * MIB + 1) }),
  "message metadata of more than 1 MiB": (store) =>
    store.commit("s", { op: "extend", messageId: "m1", metadata: { big: "x".repeat(MIB) } }),
  "a metadata value of more than 1 MiB": (store) =>
    store.updateSessionMetadata("s", { small: 1, big: "x".repeat(MIB) }),
  "more than 64 labels": (store) => store.patchSession("s", { labels: labels(65) }),
  "a 65th label": (store) => store.patchSession("s", { labels: { "one more": "x" } }),
  "a label value of more than 512 bytes": (store) =>
    store.patchSession("s", { labels: { l0: "é".repeat(257) } }),
  "a commit of more than 64 MiB": (store) =>
    store.addMessage(
      "s",
      Array.from({ length: 9 }, () => user("x".repeat(7.5 * MIB))),
    ),
};

export const limits: Section = {
  name: "limits",
  runsAlone: true,
  cases: [
    ...Object.entries(tooLarge).map(([what, attempt]) =>
      behaviour(`${what} is TOO_LARGE, and nothing is written`, ["G2"], async (store) => {
        await store.createSession("s", { labels: labels(64), messages: numbered(1) });
        await expectUnchanged(store, "s", () =>
          expectError(attempt(store), "TOO_LARGE", { limit: expect.any(Number) }),
        );
      }),
    ),
    behaviour("values just below their limits are stored", ["G9"], async (store, { open }) => {
      const content = "é".repeat(4 * MIB - 512);
      await store.createSession("s", {
        labels: { ...labels(63), long: "x".repeat(512) },
        metadata: { big: "x".repeat(MIB - 16) },
      });
      await store.addMessage("s", user(content));
      const session = await existingSession(await open(), "s");
      expect(session.messages[0]?.content === content).toBe(true);
      expect(String(session.metadata["big"]).length).toBe(MIB - 16);
      expect(session.labels["long"]).toHaveLength(512);
    }),
    behaviour(
      "a hundred thousand messages can be replaced and forked",
      ["G18"],
      async (store) => {
        const messages = numbered(100_000);
        await store.setChatHistory("s", messages);
        await store.forkSession("s", { newId: "f" });
        for (const id of ["s", "f"]) {
          expect(await existingSession(store, id, { messages: "none" })).toMatchObject({
            messageCount: 100_000,
          });
          expect(idsOf(await store.getChatHistory(id, { limit: 2 }))).toEqual(["m99999", "m100000"]);
        }
        await store.setChatHistory("s", [...messages.slice(0, 99_999), user("other end", { id: "end" })]);
        expect(idsOf(await store.getChatHistory("s", { limit: 2 }))).toEqual(["m99999", "end"]);
        expect(idsOf(await store.getChatHistory("f", { limit: 1 }))).toEqual(["m100000"]);
      },
      { timeoutMs: 180_000 },
    ),
  ],
};
