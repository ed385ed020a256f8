import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { errorOf } from "../../assertions/error-of.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";

const reads: Readonly<Record<string, (store: SessionStore, signal: AbortSignal) => PromiseLike<unknown>>> = {
  getSession: (store, signal) => store.getSession("s", { signal }),
  getMessages: (store, signal) => store.getMessages("s", ["m1"], { signal }),
  sessionExists: (store, signal) => store.sessionExists("s", { signal }),
  listSessions: (store, signal) => store.listSessions({ signal }),
  getChatHistory: (store, signal) => store.getChatHistory("s", { signal }),
  getContext: (store, signal) => store.getContext("s", { maxTokens: 9, signal }),
  exportSession: (store, signal) => store.exportSession("s", { signal }),
  getSessionTree: (store, signal) => store.getSessionTree("s", { signal }),
};

const writes: Readonly<Record<string, (store: SessionStore, signal: AbortSignal) => PromiseLike<unknown>>> = {
  addMessage: (store, signal) => store.addMessage("s", user("x"), { signal }),
  setChatHistory: (store, signal) => store.setChatHistory("s", [user("x")], { signal }),
  popMessage: (store, signal) => store.popMessage("s", { signal }),
  updateSessionMetadata: (store, signal) => store.updateSessionMetadata("s", { a: 1 }, { signal }),
  archiveMessages: (store, signal) => store.archiveMessages("s", {}, { signal }),
  updateSession: (store, signal) => store.updateSession("s", () => ({ op: "set", title: "x" }), { signal }),
  deleteSession: (store, signal) => store.deleteSession("s", { signal }),
  beginTurn: (store, signal) => store.beginTurn("s", { signal }),
};

export const aborts: Section = {
  name: "abort signals",
  cases: [
    ...Object.entries(reads).map(([method, read]) =>
      behaviour(`${method} with an aborted signal fails with the signal's reason`, [], async (store) => {
        await store.addMessage("s", numbered(2));
        const reason = new Error("not interested");
        expect(await errorOf(async () => read(store, AbortSignal.abort(reason)))).toBe(reason);
      }),
    ),
    ...Object.entries(writes).map(([method, write]) =>
      behaviour(
        `${method} with an aborted signal fails with the signal's reason and writes nothing`,
        ["G2"],
        async (store) => {
          await store.addMessage("s", numbered(2));
          const reason = new Error("changed my mind");
          await expectUnchanged(store, "s", async () => {
            expect(await errorOf(async () => write(store, AbortSignal.abort(reason)))).toBe(reason);
          });
        },
      ),
    ),
    behaviour("an abort withdraws queued calls and no others", ["G2"], async (store) => {
      const controller = new AbortController();
      const calls = Array.from({ length: 30 }, (_, n) =>
        store.addMessage("s", user(`${n}`), n % 3 === 1 ? { signal: controller.signal } : {}),
      );
      controller.abort(new Error("taken back"));
      const results = await Promise.allSettled(calls);
      const kept = results.flatMap((result, n) => (result.status === "fulfilled" ? [`${n}`] : []));
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(kept);
      const unconditional = results.filter((result, n) => n % 3 !== 1 && result.status === "rejected");
      expect(unconditional).toEqual([]);
      expect(results.at(28)?.status, "the last of the queue was not yet sent").toBe("rejected");
    }),
    behaviour(
      "a call that is aborted while it runs succeeds exactly if it was applied",
      ["G1"],
      async (store) => {
        for (let n = 0; n < 25; n++) {
          const controller = new AbortController();
          const adding = store.addMessage("s", user(`${n}`, { id: `m${n}` }), { signal: controller.signal });
          for (let ticks = 0; ticks < n % 5; ticks++) await Promise.resolve();
          controller.abort();
          const succeeded = await adding.then(
            () => true,
            () => false,
          );
          expect((await store.getMessages("s", [`m${n}`])).length === 1, `attempt ${n}`).toBe(succeeded);
        }
      },
    ),
  ],
};
