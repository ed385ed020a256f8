import { encodeCursor, type Json, type SessionBundle, type SessionStore } from "@sessions/protocol/backend";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { CaseContext, Section } from "../../case.js";
import { activeWatcher, lastCursor } from "../../samples/active-watcher.js";
import { numbered, user } from "../../samples/messages.js";
import { openSkewed } from "../../samples/open-skewed.js";
import { currentCursor, expectResumed, lastChangeOf } from "../../samples/resumed-watch.js";
import { startWatching } from "../../samples/watcher.js";
import { multiProcessCase } from "../processes/multi-process-case.js";

const HOUR_MS = 3_600_000;
const MANY_SESSIONS = 200;
const BURST_SESSIONS = 24;

const INVALID_CURSORS = ["", "made up", "1", ...[null, "x", 1, {}, [1]].map((value) => encodeCursor(value))];

function numberedIds(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
}

/** Every store adds a message to each of the sessions, concurrently. */
async function addToEach(stores: readonly SessionStore[], ids: readonly string[]): Promise<void> {
  await Promise.all(stores.flatMap((store) => ids.map((id) => store.addMessage(id, user("x")))));
}

/** A bundle of session "imported", whose times are thirty days old. */
async function oldBundle(store: SessionStore): Promise<SessionBundle> {
  await store.createSession("imported", { messages: numbered(2) });
  const bundle = await store.exportSession("imported");
  const at = Date.now() - 30 * 24 * HOUR_MS;
  return { ...bundle, session: { ...bundle.session, createdAt: at, updatedAt: at } };
}

/** An expired session, and a cursor from after its creation and before its expiry. */
async function expiredSince({ open }: CaseContext): Promise<{ readonly id: string; readonly since: string }> {
  for (let leadMs = 250; ; leadMs *= 2) {
    const id = `ends-${leadMs}`;
    const writer = await open();
    await writer.createSession(id, { expiresAt: Date.now() + leadMs });
    const since = await currentCursor(writer);
    const isInTime = await writer.sessionExists(id);
    await writer.close(); // so that no store that has written the session notices its expiry
    const reader = await open();
    await eventually(async () => expect(await reader.sessionExists(id)).toBe(false));
    if (isInTime) return { id, since };
  }
}

export const feedResume: Section = {
  name: "feed resume",
  cases: [
    behaviour(
      "a resumed watcher hears of a session that was imported meanwhile, however old its times are",
      ["G3"],
      async (store, { open, openElsewhere }) => {
        const bundle = await oldBundle(await openElsewhere());
        const since = await currentCursor(store);
        await store.importSession(bundle);
        await expectResumed(await open(), since, { imported: { revision: 1 } });
      },
    ),
    behaviour(
      "a resumed watcher gets commits that were made while the wall clock was set back",
      ["G3"],
      async (store, context) => {
        await store.addMessage("known", user("x"));
        const since = await currentCursor(store);
        const behind = await openSkewed(context, -HOUR_MS);
        await behind.addMessage("known", user("x"));
        await behind.addMessage("new", user("x"));
        await behind.deleteSession("known");
        const expected = { known: { revision: 3, deleted: true }, new: { revision: 1 } };
        await expectResumed(await context.open(), since, expected);
      },
    ),
    behaviour(
      "a watcher with a cursor from a clock that was ahead misses no later change",
      ["G3"],
      async (store, context) => {
        const since = await currentCursor(store);
        const behind = await openSkewed(context, -HOUR_MS);
        const again = startWatching(store, { since });
        await store.addMessage("ahead", user("x"));
        await eventually(() => expect(lastChangeOf(again.seen, "ahead")).toBeDefined());
        await again.stop();
        await behind.addMessage("behind", user("x"));
        await expectResumed(await context.open(), lastCursor(again), { behind: { revision: 1 } });
      },
    ),
    behaviour(
      "a resumed watcher gets deletions, and sessions that were created again",
      ["G3", "G17"],
      async (store, { open }) => {
        for (const id of ["gone", "again"]) await store.addMessage(id, user("x"));
        const since = await currentCursor(store);
        await store.deleteSession("gone");
        await store.deleteSession("again");
        const { revision } = await store.addMessage("again", user("a new one"));
        await store.addMessage("brief", user("x"));
        await store.deleteSession("brief");
        const expected = {
          gone: { revision: 2, deleted: true },
          again: { revision },
          brief: { deleted: true },
        };
        await expectResumed(await open(), since, expected);
      },
    ),
    behaviour(
      "a resumed watcher gets the expiry of a session that happened before it resumed",
      ["G16"],
      async (_store, context) => {
        const { id, since } = await expiredSince(context);
        await expectResumed(await context.open(), since, { [id]: { revision: 2, deleted: true } });
      },
    ),
    behaviour(
      `a resumed watcher gets the changes of all ${MANY_SESSIONS} sessions after the store was reopened`,
      ["G3"],
      async (store, { open }) => {
        const [before, after] = [
          numberedIds("before", MANY_SESSIONS / 2),
          numberedIds("after", MANY_SESSIONS / 2),
        ];
        await addToEach([store], before);
        const since = await currentCursor(store);
        await addToEach([store], [...before, ...after]);
        await store.close();
        const expected = [
          ...before.map((id) => [id, { revision: 2 }]),
          ...after.map((id) => [id, { revision: 1 }]),
        ];
        await expectResumed(await open(), since, Object.fromEntries(expected));
      },
    ),
    behaviour(
      "a watcher that resumes from any cursor of a burst of writes gets the last change of every session",
      ["G3"],
      async (store, { open }) => {
        const writers = [store, await open()];
        const ids = numberedIds("burst", BURST_SESSIONS);
        const watcher = await activeWatcher(store);
        await Promise.all([addToEach(writers, ids), addToEach(writers, ids)]);
        await eventually(() => {
          for (const id of ids) expect(lastChangeOf(watcher.seen, id)?.revision).toBe(4);
        });
        await watcher.stop();
        const step = Math.ceil(watcher.seen.length / 8);
        for (let read = 1; read <= watcher.seen.length; read += step) {
          const seen = watcher.seen.slice(0, read);
          const unread = ids.filter((id) => lastChangeOf(seen, id)?.revision !== 4);
          const expected = Object.fromEntries(unread.map((id) => [id, { revision: 4 }]));
          await expectResumed(store, seen.at(-1)?.cursor ?? "", expected);
        }
      },
    ),
    behaviour(
      "a watcher of the whole store resumes from the cursor of a watcher of one session",
      ["G3"],
      async (store, { open }) => {
        await store.addMessage("s", user("x"));
        const one = startWatching(store, { session: "s", since: 0 });
        await eventually(() => expect(one.seen).not.toEqual([]));
        await one.stop();
        await store.addMessage("other", user("x"));
        await expectResumed(await open(), lastCursor(one), { other: { revision: 1 } });
      },
    ),
    behaviour(
      "a resumed watcher that has missed nothing gets later changes",
      ["G3"],
      async (store, { open }) => {
        const again = startWatching(await open(), { since: await currentCursor(store) });
        await store.addMessage("s", user("x"));
        await eventually(() => expect(lastChangeOf(again.seen, "s")).toMatchObject({ revision: 1 }));
        await again.stop();
      },
    ),
    behaviour(
      "a cursor of another store is given every session again, also the deleted ones",
      ["G3"],
      async (store, { openElsewhere }) => {
        for (const id of ["s", "gone"]) await store.addMessage(id, user("x"));
        await store.deleteSession("gone");
        const elsewhere = await openElsewhere();
        await addToEach([elsewhere], numberedIds("theirs", 9)); // so that the cursor's position is beyond all changes of `store`
        const since = await currentCursor(elsewhere);
        await expectResumed(store, since, { s: { revision: 1 }, gone: { revision: 2, deleted: true } });
      },
    ),
    behaviour("watching from a made-up cursor is INVALID_ARGUMENT", [], async (store) => {
      await store.addMessage("s", user("x"));
      for (const since of INVALID_CURSORS)
        await expectError(startWatching(store, { since }).ended, "INVALID_ARGUMENT");
    }),
    multiProcessCase(
      "a cursor of one process can be used in another, in both directions",
      ["G3"],
      async (processes, store) => {
        const since = await currentCursor(store);
        const [writer, watcher] = await processes.start("writer", "watcher");
        await writer.do({ do: "append", sessions: ["a", "b"], prefix: "m", count: 6 });
        const resuming = watcher.begin({ do: "watch-store", since });
        const there: Record<string, string> = {};
        await eventually(() => {
          for (const id of ["a", "b"]) there[id] = cursorIn(resuming.notes, id, 3);
        });
        await writer.do({ do: "append", sessions: ["c"], prefix: "n", count: 1 });
        await writer.do({ do: "delete", session: "b" });
        const expected = { b: { revision: 4, deleted: true }, c: { revision: 1 } };
        for (const cursor of Object.values(there)) await expectResumed(store, cursor, expected);
      },
    ),
  ],
};

/** The cursor of a change among a worker's notes. */
function cursorIn(notes: readonly Json[], sessionId: string, revision: number): string {
  for (const note of notes) {
    if (typeof note !== "object" || note === null || !("cursor" in note)) continue;
    if (note["sessionId"] === sessionId && note["revision"] === revision) return String(note["cursor"]);
  }
  throw new Error(`no change of "${sessionId}" to revision ${revision} was noted`);
}
