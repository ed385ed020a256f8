import { type SessionStore, splice } from "@sessions/protocol";
import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { idsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

type Write = (store: SessionStore) => Promise<unknown>;

/** A write on one instance, a read on another, and its expected result. */
const writes: readonly (readonly [
  what: string,
  write: Write,
  look: (store: SessionStore) => Promise<unknown>,
  seen: unknown,
])[] = [
  [
    "an append",
    (s) => s.addMessage("s", numbered(1, 4)),
    async (s) => idsOf(await s.getChatHistory("s")),
    ["m1", "m2", "m3", "m4"],
  ],
  [
    "a removal",
    (s) => s.removeMessages("s", "m2"),
    async (s) => idsOf(await s.getChatHistory("s", { limit: 2 })),
    ["m1", "m3"],
  ],
  [
    "an update",
    (s) => s.updateMessage("s", "m2", user("x")),
    async (s) => (await s.getMessages("s", ["m2"]))[0]?.content,
    "x",
  ],
  [
    "a replace of equal length",
    (s) => s.commit("s", splice(2, [user("z", { id: "z" })])),
    async (s) => idsOf((await existingSession(s, "s")).messages),
    ["m1", "m2", "z"],
  ],
  [
    "a change of metadata",
    (s) => s.updateSessionMetadata("s", { a: 2 }),
    async (s) => (await existingSession(s, "s")).metadata,
    { a: 2 },
  ],
  [
    "a change of labels",
    (s) => s.patchSession("s", { labels: { l: "new" } }),
    async (s) => (await s.listSessions({ labels: { l: "new" } })).items.length,
    1,
  ],
  [
    "a change of counters",
    (s) => s.incrementCounters("s", { c: 1 }),
    async (s) => (await existingSession(s, "s")).counters,
    { c: 1 },
  ],
  [
    "an archive",
    (s) => s.archiveMessages("s", { keepRecent: 1 }),
    async (s) => (await s.listArchives("s")).length,
    1,
  ],
  ["a snapshot", (s) => s.createSnapshot("s", "mark"), async (s) => (await s.listSnapshots("s")).length, 1],
  [
    "a turn",
    (s) => startTurn(s, "s", { turnId: "t1" }),
    async (s) => (await existingSession(s, "s")).turn?.turnId,
    "t1",
  ],
  ["a fork", (s) => s.forkSession("s", { newId: "f" }), async (s) => (await s.getChildren("s")).length, 1],
  ["a deletion", (s) => s.deleteSession("s"), (s) => s.getSession("s"), undefined],
];

export const readFresh: Section = {
  name: "read-fresh",
  cases: [
    ...writes.map(([what, write, look, seen]) =>
      behaviour(
        `${what} is seen by every instance as soon as it is acknowledged`,
        ["G3"],
        async (store, { open }) => {
          const [other, third] = [await open(), await open()];
          await store.createSession("s", { metadata: { a: 1 }, messages: numbered(3) });
          // Fills the caches of all instances, which then would be stale.
          for (const one of [store, other, third])
            await Promise.all([one.getSession("s"), one.getChatHistory("s"), look(one)]);
          await write(other);
          for (const one of [third, store, other]) expect(await look(one)).toEqual(seen);
        },
      ),
    ),
    behaviour(
      "instances that write alternately always read each other's last message",
      ["G3"],
      async (store, { open }) => {
        const stores = [store, await open(), await open()];
        for (let n = 1; n <= 30; n++) {
          await stores[n % 3]?.addMessage("s", numbered(1, n));
          const seen = await Promise.all(stores.map((one) => one.getChatHistory("s", { limit: 1 })));
          expect(seen.map((messages) => messages[0]?.id)).toEqual([`m${n}`, `m${n}`, `m${n}`]);
        }
      },
    ),
    behaviour(
      "every instance reads the new session after a deletion and a new creation",
      ["G3"],
      async (store, { open }) => {
        const other = await open();
        await store.addMessage("s", numbered(3));
        await other.getSession("s");
        await store.deleteSession("s");
        await store.addMessage("s", user("new", { id: "n" }));
        expect(idsOf(await other.getChatHistory("s"))).toEqual(["n"]);
      },
    ),
    behaviour(
      "a message that was read as a draft is complete in a fork made after its completion",
      ["G3"],
      async (store, { open }) => {
        const other = await open();
        await store.addMessage("s", user("first"));
        await store.runTurn("s", {}, async (turn) => {
          await turn.append({ id: "d", role: "assistant", content: "", status: "partial" });
          await turn.extend("d", { text: "half" });
          expect((await other.getMessages("s", ["d"]))[0]?.content).toBe("half");
          return [{ op: "extend", messageId: "d", text: ", and whole", status: "complete" } as const];
        });
        await store.forkSession("s", { newId: "f" });
        const whole = { id: "d", content: "half, and whole" };
        expect((await other.exportSession("f")).session.messages[1]).toMatchObject(whole);
        expect((await other.getChatHistory("f"))[1]).toMatchObject(whole);
        expect((await other.getChatHistory("s"))[1]).toMatchObject(whole);
      },
    ),
    behaviour("a backend reads the commits of another one", ["G3"], async (store, { openBackend }) => {
      const backend = await openBackend();
      expect(await backend.read("s", { messages: "all" })).toBeUndefined();
      await store.addMessage("s", numbered(2));
      expect(await backend.read("s", { messages: { last: 1 } })).toMatchObject({
        revision: 1,
        messages: [{ id: "m2" }],
      });
      expect(await backend.document("s")).toMatchObject({
        revision: 1,
        messages: [{ id: "m1" }, { id: "m2" }],
      });
    }),
  ],
};
