import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { startWatching } from "../../samples/watcher.js";
import { relativeExpiry } from "./relative-expiry.js";

const SOON_MS = 60;

/** Creates session "s" with messages, a snapshot and an archive, and resolves when it has expired. */
async function expired(store: SessionStore): Promise<void> {
  await store.createSession("s", {
    title: "T",
    labels: { kind: "brief" },
    metadata: { a: 1 },
    messages: numbered(4),
  });
  await store.createSnapshot("s", "mark");
  await store.archiveMessages("s", { keepRecent: 2 });
  await store.addMessage("bystander", user("stays"));
  await store.patchSession("s", { expiresAt: Date.now() + SOON_MS });
  await eventually(async () => expect(await store.sessionExists("s")).toBe(false));
}

export const expiry: Section = {
  name: "expiry",
  cases: [
    behaviour(
      "an expired session is absent from every read and list",
      ["G16", "G17"],
      async (store, { open }) => {
        await expired(store);
        const other = await open();
        for (const one of [store, other]) {
          expect(await one.getSession("s")).toBeUndefined();
          expect(await one.getChatHistory("s")).toEqual([]);
          expect(await one.getMessages("s", ["m1", "m4"])).toEqual([]);
          expect(await one.listSnapshots("s")).toEqual([]);
          expect(await one.listArchives("s")).toEqual([]);
          expect((await one.listSessions({ labels: { kind: "brief" } })).items).toEqual([]);
          expect((await one.listSessions()).items.map((item) => item.id)).toEqual(["bystander"]);
          await expectError(one.exportSession("s"), "SESSION_NOT_FOUND");
          await expectError(one.forkSession("s"), "SESSION_NOT_FOUND");
          await expectError(one.patchSession("s", { expiresAt: null }), "SESSION_NOT_FOUND");
          expect(await one.deleteSession("s")).toBe(false);
        }
      },
    ),
    behaviour(
      "a session that begins after an expiry has nothing of the expired one and a greater revision",
      ["G16", "G5"],
      async (store) => {
        await expired(store);
        const added = await store.addMessage("s", user("new", { id: "m1" }));
        expect(added.revision).toBeGreaterThan(4);
        const session = await existingSession(store, "s");
        expect(idsOf(session.messages)).toEqual(["m1"]);
        expect(session).toMatchObject({ labels: {}, metadata: {}, archives: [], snapshots: [] });
        expect(session.labels).toEqual({});
        for (const gone of ["title", "expiresAt"]) expect(session).not.toHaveProperty(gone);
      },
    ),
    behaviour("commit ids are remembered after their session expired", ["G6", "G16"], async (store) => {
      await store.addMessage("s", user("x"), { commitId: "c1" });
      await store.patchSession("s", { expiresAt: Date.now() + SOON_MS });
      await eventually(async () => expect(await store.sessionExists("s")).toBe(false));
      expect(await store.addMessage("s", user("x"), { commitId: "c1" })).toMatchObject({
        duplicate: true,
        revision: 1,
      });
      expect(await store.sessionExists("s")).toBe(false);
    }),
    behaviour("a session expires even while a turn runs", ["G7", "G16"], async (store) => {
      const turn = await startTurn(store, "s", { messages: user("go") });
      await turn.commit([{ op: "set", expiresAt: Date.now() + SOON_MS }]);
      await eventually(async () => expect(await store.sessionExists("s")).toBe(false));
      await expectError(turn.append(user("late")), "TURN_LOST", { reason: "session-gone" });
      expect(await store.sessionExists("s")).toBe(false);
    }),
    behaviour("a session whose expiry was postponed or removed does not expire", ["G16"], async (store) => {
      const soon = Date.now() + SOON_MS;
      await store.createSession("marker", { expiresAt: soon });
      for (const id of ["later", "never"])
        await store.createSession(id, { expiresAt: Date.now() + 3_600_000 });
      await store.patchSession("later", { expiresAt: Date.now() + 7_200_000 });
      await store.patchSession("never", { expiresAt: null });
      await eventually(async () => expect(await store.sessionExists("marker")).toBe(false));
      expect((await store.listSessions()).items.map((item) => item.id).toSorted()).toEqual([
        "later",
        "never",
      ]);
    }),
    behaviour("a session that is created with an expiry expires", ["G16"], async (store) => {
      await store.createSession("s", { expiresAt: new Date(Date.now() + SOON_MS), messages: numbered(1) });
      await eventually(async () => expect(await store.sessionExists("s")).toBe(false));
      expect((await store.listSessions()).items).toEqual([]);
    }),
    behaviour("a watcher gets an expiry as a deletion", ["G16"], async (store) => {
      const watcher = startWatching(store, { session: "s", since: 0 });
      await store.createSession("s", { expiresAt: Date.now() + SOON_MS });
      await eventually(async () => {
        await store.getSession("s");
        expect(watcher.seen.at(-1)).toMatchObject({ sessionId: "s", deleted: true });
      });
      await watcher.stop();
    }),
    behaviour("the forks of an expired session stay", ["G13", "G16"], async (store) => {
      await store.createSession("p", { messages: numbered(2) });
      await store.forkSession("p", { newId: "f" });
      await store.patchSession("p", { expiresAt: Date.now() + SOON_MS });
      await eventually(async () => expect(await store.sessionExists("p")).toBe(false));
      expect(idsOf(await store.getChatHistory("f"))).toEqual(["m1", "m2"]);
      expect(await store.getParent("f")).toBeUndefined();
    }),
    behaviour(
      "a watcher that begins after the expiry gets it if it has seen the last revision",
      ["G16", "G5"],
      async (store, { open }) => {
        await store.addMessage("s", user("x"));
        const { revision } = await store.patchSession("s", { expiresAt: Date.now() + SOON_MS });
        await eventually(async () => expect(await store.sessionExists("s")).toBe(false));
        const watcher = startWatching(await open(), { session: "s", since: revision });
        await eventually(() => expect(watcher.seen).toMatchObject([{ sessionId: "s", deleted: true }]));
        await watcher.stop();
      },
    ),
    ...relativeExpiry,
  ],
};
