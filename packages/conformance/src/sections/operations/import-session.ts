import type { SessionBundle } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";
import { untyped } from "../../samples/untyped.js";

export const importSession: Section = {
  name: "importSession",
  covers: ["importSession"],
  cases: [
    behaviour(
      "an imported session equals the exported one",
      ["G9", "G5"],
      async (store, { openElsewhere }) => {
        await eventfulSession(store, "s");
        const elsewhere = await openElsewhere();
        const imported = await elsewhere.importSession(await store.exportSession("s"));
        const original = await existingSession(store, "s");
        expect(imported).toMatchObject({ sessionId: "s", revision: original.revision, duplicate: false });
        expect(await elsewhere.getSession("s")).toEqual(original);
      },
    ),
    behaviour("importing the same bundle again is a duplicate", ["G6"], async (store, { openElsewhere }) => {
      await eventfulSession(store, "s");
      const bundle = await store.exportSession("s");
      const elsewhere = await openElsewhere();
      const first = await elsewhere.importSession(bundle);
      await expectUnchanged(elsewhere, "s", async () => {
        expect(await elsewhere.importSession(bundle)).toMatchObject({
          revision: first.revision,
          duplicate: true,
        });
      });
    }),
    behaviour(
      "importing over a different session is SESSION_EXISTS and changes nothing",
      ["G4"],
      async (store, { openElsewhere }) => {
        await store.addMessage("s", numbered(2));
        const bundle = await store.exportSession("s");
        const elsewhere = await openElsewhere();
        await elsewhere.addMessage("s", user("mine"));
        await expectUnchanged(elsewhere, "s", () =>
          expectError(elsewhere.importSession(bundle), "SESSION_EXISTS"),
        );
        await store.addMessage("s", user("later"));
        await expectUnchanged(store, "s", () => expectError(store.importSession(bundle), "SESSION_EXISTS"));
      },
    ),
    behaviour("a bundle imported under a new id is an independent session", ["G13"], async (store) => {
      await eventfulSession(store, "s");
      const imported = await store.importSession(await store.exportSession("s"), { newId: "copy" });
      expect(imported).toMatchObject({ sessionId: "copy", duplicate: false });
      expect(await store.getChatHistory("copy")).toEqual(await store.getChatHistory("s"));
      await store.addMessage("copy", user("only here"));
      expect(contentsOf(await store.getChatHistory("s"))).not.toContain("only here");
    }),
    behaviour(
      "a session imported under a deleted id has a greater revision than the deleted one",
      ["G5"],
      async (store) => {
        await store.addMessage("s", numbered(1));
        const bundle = await store.exportSession("s");
        for (const n of [2, 3, 4]) await store.addMessage("s", numbered(1, n));
        await store.deleteSession("s");
        const imported = await store.importSession(bundle);
        expect(imported.revision).toBe(6);
        expect(await existingSession(store, "s")).toMatchObject({ revision: 6, messageCount: 1 });
      },
    ),
    behaviour("a bundle of a newer version is refused", ["G20"], async (store) => {
      await store.addMessage("s", numbered(1));
      const bundle = await store.exportSession("s");
      const newer = untyped<SessionBundle>({ ...bundle, version: 2 });
      await expectError(store.importSession(newer, { newId: "n" }), "FORMAT_UNSUPPORTED");
      expect(await store.sessionExists("n")).toBe(false);
    }),
    behaviour("an invalid bundle is refused with the path to what is wrong", ["G2"], async (store) => {
      await store.addMessage("s", numbered(2));
      const bundle = await store.exportSession("s");
      const { messages: _, ...session } = bundle.session;
      const broken: readonly (readonly [bundle: unknown, path: string])[] = [
        [{}, ""],
        [{ ...bundle, format: "other" }, "format"],
        [{ ...bundle, session }, "messages"],
        [{ ...bundle, session: { ...bundle.session, revision: -1 } }, "revision"],
        [{ ...bundle, session: { ...bundle.session, messages: [{ role: "user" }] } }, "messages"],
        [{ ...bundle, session: { ...bundle.session, labels: { a: 1 } } }, "labels"],
      ];
      for (const [one, path] of broken) {
        const importing = store.importSession(untyped<SessionBundle>(one), { newId: "n" });
        await expectError(importing, "INVALID_ARGUMENT", { path: expect.stringContaining(path) });
      }
      expect(await store.sessionExists("n")).toBe(false);
    }),
  ],
};
