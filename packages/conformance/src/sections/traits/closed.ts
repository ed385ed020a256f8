import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { untilWaiting } from "../../assertions/until-waiting.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { everyHandleMethod } from "../../samples/every-handle-method.js";
import { everyMethod } from "../../samples/every-method.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

export const closed: Section = {
  name: "closed",
  cases: [
    ...Object.entries(everyMethod).map(([method, call]) =>
      behaviour(`${method} of a closed store is STORE_CLOSED`, ["G19"], async (store) => {
        await store.addMessage("s", numbered(2));
        await store.close();
        await expectError(async () => call(store), "STORE_CLOSED");
      }),
    ),
    behaviour("every method of a closed store's handle is STORE_CLOSED", ["G19"], async (store) => {
      const session = store.session("s");
      await session.addMessage(numbered(2));
      await store.close();
      for (const call of Object.values(everyHandleMethod))
        await expectError(async () => call(session), "STORE_CLOSED");
    }),
    behaviour("calls made before the close are carried out", ["G19", "G1"], async (store, { open }) => {
      const adding = Array.from({ length: 40 }, (_, n) => store.addMessage("s", user(`${n}`)));
      const computed = store.updateSession("s", (session) => ({
        op: "set",
        title: `${session?.messageCount ?? 0} before the close`,
      }));
      const closing = store.close();
      const results = await Promise.allSettled([...adding, computed]);
      await closing;
      expect(results.filter((result) => result.status === "rejected")).toEqual([]);
      const session = await existingSession(await open(), "s");
      expect(contentsOf(session.messages)).toEqual(Array.from({ length: 40 }, (_, n) => `${n}`));
      expect(session.title).toBe("40 before the close");
    }),
    behaviour(
      "calls on many sessions made before the close are carried out",
      ["G19", "G1"],
      async (store, { open }) => {
        const ids = Array.from({ length: 30 }, (_, n) => `s${n}`);
        const adding = ids.map((id) => store.addMessage(id, user(id)));
        await store.close();
        await Promise.all(adding);
        const other = await open();
        for (const id of ids) expect(contentsOf(await other.getChatHistory(id))).toEqual([id]);
      },
    ),
    behaviour(
      "a call made after close() is refused, even while the close is not finished",
      ["G19"],
      async (store) => {
        const before = store.addMessage("s", user("before"));
        const closing = store.close();
        await expectError(async () => store.addMessage("s", user("after")), "STORE_CLOSED");
        await before;
        await closing;
      },
    ),
    behaviour("a wait for a turn fails with STORE_CLOSED", ["G19"], async (store, { open }) => {
      const other = await open();
      await startTurn(store, "s");
      const waiting = other.beginTurn("s", { waitMs: 600_000 });
      waiting.catch(() => undefined);
      await untilWaiting(store, 1);
      await other.close();
      await expectError(waiting, "STORE_CLOSED");
    }),
    behaviour("closing a store aborts its turns and refuses their writes", ["G19", "G7"], async (store) => {
      const turn = await startTurn(store, "s");
      await store.close();
      expect(turn.signal.aborted).toBe(true);
      const writes = [
        () => turn.append(user("late")),
        () => turn.extend("m", { text: "late" }),
        () => turn.commit([{ op: "set", title: "late" }]),
        () => turn.renew(),
        () => turn.complete(),
        () => turn.fail(new Error("late")),
        () => turn.release(),
      ];
      for (const write of writes) await expectError(async () => write(), ["STORE_CLOSED", "TURN_LOST"]);
    }),
    behaviour("closing a backend again is not an error", ["G19"], async (_store, { openBackend }) => {
      const backend = await openBackend();
      await backend.close();
      await backend.close();
    }),
  ],
};
