import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { activeWatcher } from "../../samples/active-watcher.js";
import { numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { startWatching, type Watcher } from "../../samples/watcher.js";
import { leavingAWatch } from "./leaving-a-watch.js";

function revisionsOf(watcher: Watcher, sessionId: string): number[] {
  return watcher.seen.filter((change) => change.sessionId === sessionId).map((change) => change.revision);
}

function expectRising(revisions: readonly number[]): void {
  expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
}

export const watch: Section = {
  name: "watch",
  covers: ["watch"],
  cases: [
    behaviour(
      "a watcher of one session gets a change that was made before it began",
      ["G3"],
      async (store) => {
        for (const n of [1, 2, 3]) await store.addMessage("s", numbered(1, n));
        const watcher = startWatching(store, { session: "s", since: 1 });
        await eventually(() => expect(revisionsOf(watcher, "s").at(-1)).toBe(3));
        await watcher.stop();
      },
    ),
    behaviour(
      "a watcher gets the last change of a session, and its revisions only rise",
      ["G3", "G5"],
      async (store, { open }) => {
        const other = await open();
        const watcher = startWatching(store, { session: "s", since: 0 });
        await Promise.all(
          Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? store : other).addMessage("s", user(`${n}`))),
        );
        await eventually(() => expect(revisionsOf(watcher, "s").at(-1)).toBe(60));
        expectRising(revisionsOf(watcher, "s"));
        await watcher.stop();
      },
    ),
    behaviour("a watcher of one session gets no changes of others", [], async (store) => {
      const watcher = startWatching(store, { session: "s", since: 0 });
      await store.addMessage("other", user("x"));
      await store.addMessage("s", user("x"));
      await eventually(() => expect(watcher.seen).not.toEqual([]));
      expect(watcher.seen.map((change) => change.sessionId)).toEqual(["s"]);
      await watcher.stop();
    }),
    behaviour(
      "a watcher of the store gets the changes of all sessions, made by any instance",
      ["G3"],
      async (store, { open }) => {
        const watcher = await activeWatcher(store);
        const other = await open();
        for (const id of ["a", "b"]) await store.addMessage(id, user("x"));
        for (const id of ["c", "d"]) await other.addMessage(id, user("x"));
        await eventually(() => {
          for (const id of ["a", "b", "c", "d"]) expect(revisionsOf(watcher, id)).toEqual([1]);
        });
        await watcher.stop();
      },
    ),
    behaviour("a change has the session's id, its revision, its time and a cursor", [], async (store) => {
      await store.addMessage("s", user("x"));
      const watcher = startWatching(store, { session: "s", since: 0 });
      await eventually(() => expect(watcher.seen).not.toEqual([]));
      const { updatedAt } = await existingSession(store, "s");
      expect(watcher.seen[0]).toMatchObject({
        sessionId: "s",
        revision: 1,
        at: updatedAt,
        cursor: expect.any(String),
      });
      await watcher.stop();
    }),
    behaviour("a watcher gets the deletion of its session", ["G17"], async (store, { open }) => {
      await store.addMessage("s", user("x"));
      const watcher = startWatching(store, { session: "s", since: 1 });
      await (await open()).deleteSession("s");
      await eventually(() =>
        expect(watcher.seen.at(-1)).toMatchObject({ sessionId: "s", deleted: true, revision: 2 }),
      );
      await watcher.stop();
    }),
    behaviour(
      "a watcher of the store resumes after the change whose cursor it passes",
      ["G3"],
      async (store, { open }) => {
        const first = await activeWatcher(store);
        await store.addMessage("a", user("seen"));
        await eventually(() => expect(revisionsOf(first, "a")).toEqual([1]));
        await first.stop();
        const since = first.seen.at(-1)?.cursor ?? "";
        await store.addMessage("b", user("missed"));
        await store.addMessage("a", user("missed"));
        await store.deleteSession("probe");
        const second = startWatching(await open(), { since });
        await eventually(() => {
          expect(revisionsOf(second, "a")).toEqual([2]);
          expect(revisionsOf(second, "b")).toEqual([1]);
          expect(second.seen.find((change) => change.sessionId === "probe")).toMatchObject({ deleted: true });
        });
        await second.stop();
      },
    ),
    behaviour("a made-up cursor for a watch is refused", [], async (store) => {
      await store.addMessage("s", user("x"));
      await expectError(startWatching(store, { since: "made up" }).ended, "INVALID_ARGUMENT");
    }),
    behaviour("the renewal of a turn is not a change for watchers", ["G5"], async (store) => {
      const turn = await startTurn(store, "s", { renew: false });
      const watcher = startWatching(store, { session: "s", since: 0 });
      await eventually(() => expect(revisionsOf(watcher, "s")).toEqual([1]));
      for (let n = 0; n < 5; n++) await turn.renew();
      await turn.complete();
      await eventually(() => expect(revisionsOf(watcher, "s").at(-1)).toBe(2));
      expect(revisionsOf(watcher, "s")).toEqual([1, 2]);
      await watcher.stop();
    }),
    behaviour("a watch ends without an error when its signal aborts", ["G19"], async (store) => {
      const watcher = await activeWatcher(store);
      await watcher.stop();
      await store.addMessage("s", user("goes on"));
      expect(await startWatching(store, {}).stop()).toBeUndefined();
    }),
    behaviour("a watch fails with STORE_CLOSED when the store is closed", ["G19"], async (store) => {
      const [all, one] = [await activeWatcher(store), startWatching(store, { session: "s", since: 0 })];
      await store.close();
      await expectError(all.ended, "STORE_CLOSED");
      await expectError(one.ended, "STORE_CLOSED");
    }),
    behaviour(
      "a watcher that does not read does not block writers, and gets the last change later",
      ["G18"],
      async (store) => {
        const controller = new AbortController();
        const changes = store.watch({ signal: controller.signal })[Symbol.asyncIterator]();
        const first = changes.next();
        await eventually(async () => {
          await store.addMessage("probe", user("are you there?"));
          const waiting = Symbol("waiting");
          expect(await Promise.race([first, Promise.resolve(waiting)])).not.toBe(waiting);
        });
        await Promise.all(Array.from({ length: 200 }, (_, n) => store.addMessage("s", user(`${n}`))));
        let last = 0;
        while (last < 200) {
          const next = await changes.next();
          if (next.done !== true && next.value.sessionId === "s") last = next.value.revision;
        }
        controller.abort();
        expect(last).toBe(200);
      },
    ),
    ...leavingAWatch,
  ],
};
