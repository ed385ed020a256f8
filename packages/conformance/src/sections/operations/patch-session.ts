import type { SessionPatch } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { untyped } from "../../samples/untyped.js";

const TOMORROW = Date.now() + 86_400_000;

const wrong: readonly (readonly [what: string, patch: unknown, path: string])[] = [
  ["a title that is not a string", { title: 7 }, "title"],
  ["a label that is not a string", { labels: { ok: "fine", agent: {} } }, "agent"],
  ["metadata that is not JSON", { metadata: { ok: 1, bad: Number.NaN } }, "bad"],
  ["an expiry that is not a time", { expiresAt: "tomorrow" }, "expiresAt"],
];

export const patchSession: Section = {
  name: "patchSession",
  covers: ["patchSession"],
  cases: [
    behaviour("a patch changes only the fields that it has, in one commit", ["G4", "G5"], async (store) => {
      await store.createSession("s", { title: "T", labels: { a: "1", b: "2" }, metadata: { x: 1, y: 2 } });
      const patch = { labels: { b: "3", c: "4" }, metadata: { y: [5] }, expiresAt: TOMORROW };
      expect(await store.patchSession("s", patch)).toMatchObject({ revision: 2, duplicate: false });
      expect(await existingSession(store, "s")).toMatchObject({
        revision: 2,
        title: "T",
        labels: { a: "1", b: "3", c: "4" },
        metadata: { x: 1, y: [5] },
        expiresAt: TOMORROW,
      });
    }),
    behaviour("null removes a title, a label, a metadata key and an expiry", [], async (store) => {
      await store.createSession("s", {
        title: "T",
        labels: { a: "1" },
        metadata: { x: 1, z: 0 },
        expiresAt: TOMORROW,
      });
      await store.patchSession("s", {
        title: null,
        labels: { a: null },
        metadata: { x: null },
        expiresAt: null,
      });
      const session = await existingSession(store, "s");
      expect(session).toMatchObject({ labels: {}, metadata: { z: 0 } });
      expect(session.labels).toEqual({});
      expect(session.metadata).toEqual({ z: 0 });
      for (const gone of ["title", "expiresAt"]) expect(session).not.toHaveProperty(gone);
    }),
    behaviour("an expiry can be a Date", [], async (store) => {
      await store.createSession("s");
      await store.patchSession("s", { expiresAt: new Date(TOMORROW) });
      expect((await existingSession(store, "s")).expiresAt).toBe(TOMORROW);
    }),
    behaviour("a patch that changes nothing writes nothing", ["G5"], async (store) => {
      await store.createSession("s", { title: "T", labels: { a: "1" } });
      await expectUnchanged(store, "s", async () => {
        for (const patch of [{}, { title: "T" }, { labels: { a: "1", b: null } }]) {
          expect(await store.patchSession("s", patch)).toEqual({
            revision: 1,
            duplicate: true,
            messages: [],
          });
        }
      });
    }),
    behaviour(
      "a patch of an absent session is SESSION_NOT_FOUND and creates no session",
      ["G17"],
      async (store) => {
        await expectError(store.patchSession("s", { title: "T" }), "SESSION_NOT_FOUND", { sessionId: "s" });
        expect(await store.sessionExists("s")).toBe(false);
      },
    ),
    ...wrong.map(([what, patch, path]) =>
      behaviour(`${what} is refused, and nothing changes`, ["G2"], async (store) => {
        await store.createSession("s", { title: "T" });
        const fields = { path: expect.stringContaining(path) };
        await expectUnchanged(store, "s", () =>
          expectError(store.patchSession("s", untyped<SessionPatch>(patch)), "INVALID_ARGUMENT", fields),
        );
      }),
    ),
  ],
};
