import { SessionError, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Case, Section } from "../../case.js";
import { activeWatcher } from "../../samples/active-watcher.js";
import { contentsOf, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { startWatching } from "../../samples/watcher.js";

/** Resolves when the feed has polled: only a poll can find that a session has expired. */
async function feedHasPolled(store: SessionStore): Promise<void> {
  const all = await activeWatcher(store);
  await store.createSession("short", { expiresAt: Date.now() + 50 });
  await eventually(() => expect(all.seen.some(({ deleted }) => deleted === true)).toBe(true));
  await all.stop();
}

/** The error code that a call fails with, or the status of its result. */
async function codeOrStatusOf(call: Promise<{ readonly status: string }>): Promise<string> {
  try {
    return (await call).status;
  } catch (error) {
    return SessionError.is(error) ? error.code : String(error);
  }
}

const lossCase = (name: string, run: Case["run"]): Case =>
  behaviour(name, ["G1"], run, {
    applies: (_store, place) => place.loseEverything !== undefined,
  });

/** The next call of each instance on a lost session is DATA_LOST, whatever background reads have found before. */
export const lostData: Section = {
  name: "lost data",
  cases: [
    lossCase(
      "after a loss the next call of each instance is DATA_LOST, and later calls find the session absent",
      async (store, { place, open }) => {
        const other = await open();
        for (const one of [store, other]) await one.addMessage("s", user("kept?"));
        await place.loseEverything?.();
        await expectError(store.getSession("s"), "DATA_LOST", { sessionId: "s" });
        expect(await store.getSession("s")).toBeUndefined();
        await expectError(other.addMessage("s", user("after")), "DATA_LOST", { sessionId: "s" });
        await other.addMessage("s", user("after"));
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["after"]);
      },
    ),
    lossCase(
      "the next call is DATA_LOST although watchers and lists have noticed the loss",
      async (store, { place }) => {
        await store.addMessage("s", user("kept?"));
        const watcher = startWatching(store, { session: "s" });
        await place.loseEverything?.();
        await feedHasPolled(store);
        await store.listSessions();
        await store.describe();
        await expectError(store.getSession("s"), "DATA_LOST", { sessionId: "s" });
        await watcher.stop().catch((error: unknown) => expectError(Promise.reject(error), "DATA_LOST"));
      },
    ),
    lossCase(
      "the next call is DATA_LOST although the renewal of a turn has noticed the loss and ended the turn",
      async (store, { place }) => {
        const turn = await startTurn(store, "s", { ttlMs: 300, messages: user("question") });
        await place.loseEverything?.();
        await eventually(() => expect(turn.signal.aborted).toBe(true));
        await expectError(store.addMessage("s", user("answer")), "DATA_LOST", { sessionId: "s" });
      },
    ),
    lossCase(
      "all waits for a turn fail with DATA_LOST, and no turn begins",
      async (store, { place, open }) => {
        await store.addMessage("s", user("kept?"));
        const holder = await open();
        await startTurn(holder, "s", { ttlMs: 60_000 });
        const backend = await place.openBackend();
        const waiting = [1, 2].map(() => codeOrStatusOf(store.beginTurn("s", { waitMs: 30_000 })));
        await eventually(async () => {
          expect((await backend.read("s", { messages: "none" }))?.queue).toHaveLength(2);
        });
        await backend.close();
        await place.loseEverything?.();
        expect(await Promise.all(waiting)).toEqual(["DATA_LOST", "DATA_LOST"]);
        await expectError(store.getSession("s"), "DATA_LOST", { sessionId: "s" });
      },
    ),
    behaviour(
      "declared absent: a store without the hook `loseEverything` has no hook `interrupt` either",
      ["G1"],
      async (store, { place }) => {
        expect(
          place.interrupt,
          "the place of a store with a server has both `loseEverything` and `interrupt`",
        ).toBeUndefined();
        expect((await store.describe()).store).toMatch(/\w/);
      },
      { applies: (_store, place) => place.loseEverything === undefined },
    ),
  ],
};
