import { append, type ComputeChange, count, set } from "@sessions/protocol";
import { expect } from "vitest";
import { errorOf } from "../../assertions/error-of.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, idsOf, numbered, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

export const updateSession: Section = {
  name: "updateSession",
  covers: ["updateSession"],
  cases: [
    behaviour("a change is computed from the current session", ["G4", "G5"], async (store) => {
      await store.addMessage("s", numbered(3));
      const result = await store.updateSession("s", (session) => [
        set({ title: `${session?.messages.length} messages` }),
        append(user("computed")),
      ]);
      expect(result).toMatchObject({ revision: 2, duplicate: false, messages: [{ content: "computed" }] });
      expect(await existingSession(store, "s")).toMatchObject({ title: "3 messages", messageCount: 4 });
    }),
    behaviour(
      "the callback gets undefined for an absent session and may create it",
      ["G17"],
      async (store) => {
        await store.updateSession("s", (session) => append(user(session === undefined ? "made" : "found")));
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["made"]);
      },
    ),
    behaviour("a callback that returns no operations changes nothing", ["G5"], async (store) => {
      await store.addMessage("s", numbered(1));
      await expectUnchanged(store, "s", async () => {
        for (const nothing of [() => undefined, () => []]) {
          expect(await store.updateSession("s", nothing)).toEqual({
            revision: 1,
            duplicate: true,
            messages: [],
          });
        }
      });
    }),
    behaviour("the callback gets the selected messages", [], async (store) => {
      await store.addMessage("s", numbered(4));
      let seen: string[] = [];
      const look: ComputeChange = (session) => {
        seen = idsOf(session?.messages ?? []);
        return undefined;
      };
      await store.updateSession("s", look, { messages: { last: 2 } });
      expect(seen).toEqual(["m3", "m4"]);
    }),
    behaviour(
      "concurrent computed changes from several instances are all applied",
      ["G4"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        await store.createSession("s", { metadata: { n: 0 } });
        const add: ComputeChange = (session) => set({ metadata: { n: Number(session?.metadata["n"]) + 1 } });
        await Promise.all(Array.from({ length: 45 }, (_, n) => stores[n % 3]?.updateSession("s", add)));
        expect(await existingSession(store, "s")).toMatchObject({ revision: 46, metadata: { n: 45 } });
      },
    ),
    behaviour(
      "the caller gets the error that a callback throws, and nothing changes",
      ["G2"],
      async (store) => {
        await store.addMessage("s", numbered(1));
        const failure = new Error("cannot decide");
        const decide = (): never => {
          throw failure;
        };
        await expectUnchanged(store, "s", async () => {
          expect(await errorOf(store.updateSession("s", decide))).toBe(failure);
        });
        await store.addMessage("s", user("goes on"));
      },
    ),
    behaviour("a callback that returns a promise is refused", ["G2"], async (store) => {
      await store.addMessage("s", numbered(1));
      const later = untyped<ComputeChange>(async () => count({ a: 1 }));
      await expectUnchanged(store, "s", () =>
        expectError(store.updateSession("s", later), "INVALID_ARGUMENT"),
      );
    }),
    behaviour(
      "a computed change with a wrong ifRevision is REVISION_CONFLICT and is not retried",
      ["G5"],
      async (store) => {
        await store.addMessage("s", numbered(1));
        const updating = store.updateSession("s", () => set({ title: "T" }), { ifRevision: 9 });
        await expectError(updating, "REVISION_CONFLICT", { expected: 9, actual: 1 });
      },
    ),
  ],
};
