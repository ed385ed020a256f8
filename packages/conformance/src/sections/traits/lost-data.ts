import { SessionError, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { expectError } from "../../assertions/expect-error.js";
import { behaviour } from "../../behaviour.js";
import type { Case, Section } from "../../case.js";
import { contentsOf, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { startWatching } from "../../samples/watcher.js";

/** Resolves when the polls of the feed have run: only they tell a watcher of all sessions that one has expired. */
async function feedHasPolled(store: SessionStore): Promise<void> {
  const all = startWatching(store);
  await eventually(async () => {
    await store.addMessage("probe", user("are you there?"));
    expect(all.seen).not.toEqual([]);
  });
  await store.createSession("short", { expiresAt: Date.now() + 50 });
  await eventually(() => expect(all.seen.some(({ deleted }) => deleted === true)).toBe(true));
  await all.stop();
}

/** The code that a call fails with, or what it came to. */
async function endOf(call: Promise<{ readonly status: string }>): Promise<string> {
  try {
    return (await call).status;
  } catch (error) {
    return SessionError.is(error) ? error.code : String(error);
  }
}

const losing = (name: string, run: Case["run"]): Case =>
  behaviour(name, ["G1"], run, {
    applies: (_store, place) => place.loseEverything !== undefined,
  });

/** DATA_LOST belongs to callers: each instance's next call on the session gets it, whatever else has met it before. */
export const lostData: Section = {
  name: "lost data",
  cases: [
    losing(
      "the next call of each instance is DATA_LOST, then the session is as it is",
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
    losing("watchers and lists do not use the loss up", async (store, { place }) => {
      await store.addMessage("s", user("kept?"));
      const watcher = startWatching(store, { session: "s" });
      await place.loseEverything?.();
      await feedHasPolled(store);
      await store.listSessions();
      await store.describe();
      await expectError(store.getSession("s"), "DATA_LOST", { sessionId: "s" });
      await watcher.stop().catch((error: unknown) => expectError(Promise.reject(error), "DATA_LOST"));
    }),
    losing("a turn that renews itself does not use the loss up, and ends", async (store, { place }) => {
      const turn = await startTurn(store, "s", { ttlMs: 300, messages: user("question") });
      await place.loseEverything?.();
      await eventually(() => expect(turn.signal.aborted).toBe(true));
      await expectError(store.addMessage("s", user("answer")), "DATA_LOST", { sessionId: "s" });
    }),
    losing(
      "those who wait for a turn fail with DATA_LOST, and none begins",
      async (store, { place, open }) => {
        await store.addMessage("s", user("kept?"));
        const holder = await open();
        await startTurn(holder, "s", { ttlMs: 60_000 });
        const backend = await place.openBackend();
        const waiting = [1, 2].map(() => endOf(store.beginTurn("s", { waitMs: 30_000 })));
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
      "declared absent: an engine without a server of its own loses its data with its files",
      ["G1"],
      async (store, { place }) => {
        expect(
          place.interrupt,
          "a store with a server gives `loseEverything` beside `interrupt`",
        ).toBeUndefined();
        expect((await store.describe()).store).toMatch(/\w/);
      },
      { applies: (_store, place) => place.loseEverything === undefined },
    ),
  ],
};
