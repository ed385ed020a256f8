import {
  append,
  count,
  type OperationInput,
  remove,
  restore,
  set,
  settleArchive,
  update,
} from "@sessions/protocol";
import { expect } from "vitest";
import { errorOf } from "../../assertions/error-of.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";
import { refusals } from "../../samples/refusals.js";
import { appendOperation, request } from "../../samples/requests.js";

const failing: readonly (readonly [what: string, op: OperationInput])[] = [
  ["removes an unknown message", remove("m9")],
  ["updates an unknown message", update({ id: "m9", role: "user", content: "x" })],
  ["restores an unknown snapshot", restore("none")],
  ["settles an unknown archive", settleArchive("none", { summary: "x" })],
  ["adds a message whose id is in use", append(user("other", { id: "m1" }))],
  ["makes a counter too large", count({ full: 1 })],
];

export const allOrNothing: Section = {
  name: "all or nothing",
  cases: [
    ...Object.entries(refusals).map(([code, { prepare, call }]) =>
      behaviour(`a call that is refused with ${code} changes nothing`, ["G2"], async (store) => {
        await store.addMessage("s", numbered(2));
        await prepare?.(store);
        await expectUnchanged(store, "s", async () => {
          const error = await errorOf(call(store));
          expect(error).toMatchObject({ code });
        });
      }),
    ),
    ...failing.map(([what, op]) =>
      behaviour(`a commit whose last operation ${what} changes nothing`, ["G2"], async (store) => {
        await store.createSession("s", {
          counters: { full: Number.MAX_SAFE_INTEGER },
          messages: numbered(2),
        });
        const before = [
          append(user("new")),
          set({ title: "T", labels: { a: "1" } }),
          count({ turns: 1 }),
          remove("m2"),
        ];
        await expectUnchanged(store, "s", () => errorOf(store.commit("s", [...before, op])));
      }),
    ),
    behaviour("a commit that fails creates no session", ["G2", "G17"], async (store) => {
      await errorOf(store.commit("s", [append(user("x")), remove("m9")]));
      expect(await store.sessionExists("s")).toBe(false);
      expect((await store.listSessions()).items).toEqual([]);
    }),
    behaviour("a reader sees all of a commit or none of it", ["G2"], async (store, { open }) => {
      const reader = await open();
      await store.createSession("s", { metadata: { n: 0 } });
      let writing = true;
      const writer = (async () => {
        for (let n = 1; n <= 40; n++) {
          await store.commit("s", [
            append([user(`${n}`), user(`${n}`)]),
            set({ metadata: { n }, title: `${n}` }),
            count({ n: 1 }),
          ]);
        }
      })().finally(() => {
        writing = false;
      });
      while (writing) {
        const { metadata, messages, counters, revision } = await existingSession(reader, "s");
        const n = Number(metadata["n"]);
        expect([messages.length, counters["n"] ?? 0, revision]).toEqual([2 * n, n, n + 1]);
      }
      await writer;
    }),
    behaviour("a refused call does not affect other queued calls", ["G2"], async (store) => {
      await store.createSession("s");
      const results = await Promise.allSettled([
        store.addMessage("s", user("a")),
        store.removeMessages("s", "m9"),
        store.addMessage("s", user("b"), { ifRevision: 77 }),
        store.addMessage("s", user("c")),
      ]);
      expect(results.map((result) => result.status)).toEqual([
        "fulfilled",
        "rejected",
        "rejected",
        "fulfilled",
      ]);
      expect(contentsOf(await store.getChatHistory("s"))).toEqual(["a", "c"]);
    }),
    behaviour(
      "a backend applies the requests of a batch in order, each on its own",
      ["G2"],
      async (_store, { openBackend }) => {
        const backend = await openBackend();
        const outcomes = await backend.commit([
          request("s", "c1", [appendOperation("m1")]),
          request("s", "c2", [appendOperation("m2"), { op: "remove", messageIds: ["m9"] }]),
          request("s", "c3", [appendOperation("m3")], { ifRevision: 1 }),
          request("s", "c4", [appendOperation("m4")], { ifRevision: 1 }),
          request("s", "c5", [{ op: "remove", messageIds: ["m1"] }]),
        ]);
        expect(outcomes.map((outcome) => outcome.status)).toEqual([
          "applied",
          "rejected",
          "applied",
          "rejected",
          "applied",
        ]);
        const record = await backend.read("s", { messages: "all" });
        expect(record).toMatchObject({ revision: 3, messages: [{ id: "m3" }] });
      },
    ),
  ],
};
