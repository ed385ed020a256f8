import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

export const updateSessionMetadata: Section = {
  name: "updateSessionMetadata",
  covers: ["updateSessionMetadata"],
  cases: [
    behaviour("an update of metadata sets its keys and keeps the others", ["G4", "G5"], async (store) => {
      await store.createSession("s", { metadata: { a: { deep: 1 }, b: 2 } });
      expect(await store.updateSessionMetadata("s", { a: { other: 1 }, c: [3] })).toMatchObject({
        revision: 2,
      });
      expect((await existingSession(store, "s")).metadata).toEqual({ a: { other: 1 }, b: 2, c: [3] });
    }),
    behaviour("a metadata key that was removed with null stays removed", [], async (store) => {
      await store.createSession("s", { metadata: { compute: "id-1", b: 2 } });
      await store.updateSessionMetadata("s", { compute: null });
      await store.addMessage("s", user("later"));
      expect((await existingSession(store, "s")).metadata).toEqual({ b: 2 });
    }),
    behaviour("a metadata value of undefined is refused with a hint at null", ["G9"], async (store) => {
      await store.createSession("s", { metadata: { a: 1 } });
      await expectUnchanged(store, "s", async () => {
        const error = await expectError(
          store.updateSessionMetadata("s", { b: 1, a: undefined }),
          "INVALID_ARGUMENT",
          {
            path: expect.stringContaining("a"),
          },
        );
        expect(error.message).toContain("null");
      });
    }),
    behaviour(
      "undefined properties inside a metadata value are dropped, as in JSON",
      ["G9"],
      async (store) => {
        await store.createSession("s");
        await store.updateSessionMetadata("s", { a: { gone: undefined, kept: null } });
        expect((await existingSession(store, "s")).metadata).toEqual({ a: { kept: null } });
      },
    ),
    behaviour("an update of metadata to the same values writes nothing", ["G5"], async (store) => {
      await store.createSession("s", { metadata: { a: { x: [1, {}] } } });
      const again = await store.updateSessionMetadata("s", { a: { x: [1, {}] }, nothing: null });
      expect(again).toEqual({ revision: 1, duplicate: true, messages: [] });
    }),
    behaviour("an update of an absent session's metadata is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.updateSessionMetadata("s", { a: 1 }), "SESSION_NOT_FOUND");
      expect(await store.sessionExists("s")).toBe(false);
    }),
    behaviour("a metadata patch that is not an object is refused", [], async (store) => {
      await store.createSession("s");
      for (const patch of ["a", null, [1]]) {
        await expectError(store.updateSessionMetadata("s", untyped<object>(patch)), "INVALID_ARGUMENT");
      }
    }),
    behaviour(
      "concurrent updates of different metadata keys are all kept",
      ["G4"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        await store.createSession("s");
        const keys = Array.from({ length: 30 }, (_, n) => `k${n}`);
        await Promise.all(keys.map((key, n) => stores[n % 3]?.updateSessionMetadata("s", { [key]: n })));
        expect((await existingSession(store, "s")).metadata).toEqual(
          Object.fromEntries(keys.map((key, n) => [key, n])),
        );
      },
    ),
  ],
};
