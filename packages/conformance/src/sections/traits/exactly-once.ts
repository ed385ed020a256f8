import { append, archive, count, type MutationResult, type SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectSameJson } from "../../assertions/expect-same-json.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { contentsOf, numbered, user } from "../../samples/messages.js";

type Mutate = (store: SessionStore, commitId: string) => Promise<unknown>;

/** Every mutator with a commit id, on the session of `prepare`. */
const mutators: Readonly<Record<string, Mutate>> = {
  createSession: (store, commitId) => store.createSession("n", { messages: [user("x")] }, { commitId }),
  addMessage: (store, commitId) => store.addMessage("s", [user("x"), user("y")], { commitId }),
  setChatHistory: (store, commitId) => store.setChatHistory("s", [user("x"), user("y")], { commitId }),
  updateMessage: (store, commitId) => store.updateMessage("s", "m3", user("x"), { commitId }),
  removeMessages: (store, commitId) => store.removeMessages("s", ["m3", "m4"], { commitId }),
  popMessage: (store, commitId) => store.popMessage("s", { commitId }),
  clearSession: (store, commitId) => store.clearSession("s", { commitId }),
  updateSessionMetadata: (store, commitId) => store.updateSessionMetadata("s", { a: 1 }, { commitId }),
  incrementCounters: (store, commitId) => store.incrementCounters("s", { turns: 1 }, { commitId }),
  patchSession: (store, commitId) => store.patchSession("s", { title: "T" }, { commitId }),
  forkSession: (store, commitId) => store.forkSession("s", {}, { commitId }),
  createSnapshot: (store, commitId) => store.createSnapshot("s", undefined, { commitId }),
  revertToSnapshot: (store, commitId) => store.revertToSnapshot("s", "mark", { commitId }),
  revertToMessage: (store, commitId) => store.revertToMessage("s", "m3", { commitId }),
  dropSnapshot: (store, commitId) => store.dropSnapshot("s", "mark", { commitId }),
  archiveMessages: (store, commitId) => store.archiveMessages("s", { keepRecent: 1 }, { commitId }),
  settleArchive: (store, commitId) => store.settleArchive("s", "a1", { error: "no" }, { commitId }),
  deleteSession: (store, commitId) => store.deleteSession("s", { commitId }),
  commit: (store, commitId) => store.commit("s", [append(user("x")), count({ turns: 1 })], { commitId }),
  updateSession: (store, commitId) => store.updateSession("s", () => append(user("x")), { commitId }),
};

/** A session "s" with an archive "a1", four live messages and a snapshot "mark". */
async function prepare(store: SessionStore): Promise<void> {
  await store.addMessage("s", numbered(2));
  await store.commit("s", archive("m2", { archiveId: "a1" }));
  await store.addMessage("s", numbered(3, 3));
  await store.createSnapshot("s", "mark");
  await store.addMessage("s", user("after the mark", { id: "last" }));
}

/** Resolves when the clock has moved on: the result of a repeat must not contain the time of the repeat. */
function laterThan(time: number): Promise<void> {
  return eventually(() => expect(Date.now()).toBeGreaterThan(time));
}

function asFirst(result: unknown): unknown {
  return typeof result === "object" && result !== null ? { ...result, duplicate: false } : result;
}

export const exactlyOnce: Section = {
  name: "exactly once",
  cases: [
    ...Object.entries(mutators).map(([method, repeat]) =>
      behaviour(
        `${method} sent again changes nothing and returns the same result, on any instance and after later commits`,
        ["G6"],
        async (store, { open }) => {
          await prepare(store);
          const first = await repeat(store, "c1");
          await laterThan(Date.now());
          const sessions = async (): Promise<number> => (await store.listSessions()).items.length;
          const before = await sessions();
          await expectUnchanged(store, "s", async () => {
            expectSameJson(asFirst(await repeat(store, "c1")), asFirst(first));
            expectSameJson(asFirst(await repeat(await open(), "c1")), asFirst(first));
          });
          if (method === "deleteSession") return;
          await store.updateSessionMetadata("s", { later: method });
          const late = await repeat(await open(), "c1");
          expectSameJson(asFirst(late), asFirst(first));
          expect(await sessions()).toBe(before);
          if (typeof late === "object" && late !== null && "duplicate" in late)
            expect(late.duplicate).toBe(true);
        },
      ),
    ),
    behaviour("a call and its concurrent repeats are one commit", ["G6"], async (store, { open }) => {
      const stores = [store, await open(), await open()];
      const results = await Promise.all(
        Array.from({ length: 9 }, (_, n) => stores[n % 3]?.addMessage("s", user("once"), { commitId: "c1" })),
      );
      expect(results.filter((result) => result?.duplicate === false)).toHaveLength(1);
      expect(new Set(results.map((result) => JSON.stringify(result?.messages))).size).toBe(1);
      expect(await existingSession(store, "s")).toMatchObject({ revision: 1, messageCount: 1 });
    }),
    behaviour(
      "a computed change and its concurrent repeats are one commit",
      ["G6"],
      async (store, { open }) => {
        await store.addMessage("s", numbered(5));
        const stores = [store, await open()];
        const results = await Promise.all(
          Array.from({ length: 6 }, (_, n) => stores[n % 2]?.popMessage("s", { commitId: "c1" })),
        );
        expect(new Set(results.map((result) => JSON.stringify(result?.messages))).size).toBe(1);
        expect(await existingSession(store, "s")).toMatchObject({ revision: 2, messageCount: 4 });
      },
    ),
    behaviour(
      "a repeat of a computed change does not call the callback again",
      ["G6"],
      async (store, { open }) => {
        let calls = 0;
        const compute = (): ReturnType<typeof count> => {
          calls += 1;
          return count({ turns: calls });
        };
        await store.addMessage("s", numbered(1));
        await store.updateSession("s", compute, { commitId: "c1" });
        expect(await (await open()).updateSession("s", compute, { commitId: "c1" })).toMatchObject({
          duplicate: true,
          revision: 2,
        });
        expect(calls).toBe(1);
        expect((await existingSession(store, "s")).counters).toEqual({ turns: 1 });
      },
    ),
    behaviour(
      "a repeat returns the messages of the first call although they were removed since",
      ["G6"],
      async (store) => {
        const compute = (): ReturnType<typeof append> => append(user("x"));
        const first = await store.updateSession("s", compute, { commitId: "c1" });
        await store.clearSession("s");
        const again = await store.updateSession("s", compute, { commitId: "c1" });
        expect(first.messages).toHaveLength(1);
        expect(again).toEqual({ ...first, duplicate: true });
      },
    ),
    behaviour(
      "a repeat is recognised by its arguments, not by the operations computed from them",
      ["G6"],
      async (store) => {
        await store.addMessage("s", numbered(3));
        const replace = (): Promise<MutationResult> =>
          store.setChatHistory("s", [user("a"), user("b")], { commitId: "c1" });
        const first = await replace();
        await store.addMessage("s", user("c"));
        const again = await replace();
        expect(again).toEqual({ ...first, duplicate: true });
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["a", "b", "c"]);
      },
    ),
    behaviour(
      "generated message ids are the same for the same commit id",
      ["G6"],
      async (store, { openElsewhere }) => {
        const elsewhere = await openElsewhere();
        const add = (one: SessionStore): Promise<MutationResult> =>
          one.addMessage("s", [user("x"), user("y")], { commitId: "c1" });
        const ids = async (one: SessionStore): Promise<string[]> =>
          (await add(one)).messages.map((message) => message.id);
        expect(await ids(elsewhere)).toEqual(await ids(store));
      },
    ),
    behaviour(
      "using a commit id for another request is COMMIT_ID_REUSED",
      ["G6"],
      async (store, { open }) => {
        await store.addMessage("s", user("x"), { commitId: "c1" });
        const other = await open();
        await expectUnchanged(store, "s", async () => {
          const fields = { commitId: "c1", sessionId: "s" };
          await expectError(other.addMessage("s", user("y"), { commitId: "c1" }), "COMMIT_ID_REUSED", fields);
          await expectError(
            other.addMessage("s", [user("x"), user("x")], { commitId: "c1" }),
            "COMMIT_ID_REUSED",
            fields,
          );
          await expectError(other.popMessage("s", { commitId: "c1" }), "COMMIT_ID_REUSED", fields);
          await expectError(
            other.updateSession("s", () => count({ a: 1 }), { commitId: "c1" }),
            "COMMIT_ID_REUSED",
            fields,
          );
        });
      },
    ),
    behaviour(
      "requests with one commit id are compared by their fingerprint, if they have one",
      ["G6"],
      async (store) => {
        const send = (content: string, fingerprint: string): Promise<MutationResult> =>
          store.addMessage("s", user(content), { commitId: "c1", fingerprint });
        await send("at 12:00", "update 7");
        expect(await send("at 12:01", "update 7")).toMatchObject({ duplicate: true, revision: 1 });
        await expectError(send("at 12:00", "update 8"), "COMMIT_ID_REUSED");
        expect(contentsOf(await store.getChatHistory("s"))).toEqual(["at 12:00"]);
      },
    ),
    behaviour("one commit id can be used in two sessions", ["G6"], async (store) => {
      await store.addMessage("a", user("x"), { commitId: "c1" });
      expect(await store.addMessage("b", user("y"), { commitId: "c1" })).toMatchObject({ duplicate: false });
    }),
    behaviour(
      "the last 256 commit ids of callers are remembered, whatever else was written",
      ["G6"],
      async (store) => {
        const ids = Array.from({ length: 256 }, (_, n) => `c${n}`);
        await store.createSession("s");
        await Promise.all(ids.map((commitId) => store.incrementCounters("s", { n: 1 }, { commitId })));
        await Promise.all(Array.from({ length: 600 }, () => store.incrementCounters("s", { other: 1 })));
        const again = await Promise.all(
          ids.map((commitId) => store.incrementCounters("s", { n: 1 }, { commitId })),
        );
        expect(again.filter((result) => !result.duplicate)).toEqual([]);
        expect((await existingSession(store, "s")).counters).toEqual({ n: 256, other: 600 });
      },
    ),
    behaviour(
      "commit ids are remembered after their session was deleted",
      ["G6"],
      async (store, { open }) => {
        await store.addMessage("s", user("x"), { commitId: "c1" });
        await store.deleteSession("s");
        const other = await open();
        expect(await other.addMessage("s", user("x"), { commitId: "c1" })).toMatchObject({
          duplicate: true,
          revision: 1,
        });
        expect(await other.sessionExists("s")).toBe(false);
        await expectError(other.addMessage("s", user("y"), { commitId: "c1" }), "COMMIT_ID_REUSED");
      },
    ),
    behaviour("the commit id of a refused commit can be used again", ["G6"], async (store) => {
      await store.addMessage("s", numbered(1));
      await expectError(store.removeMessages("s", "m9", { commitId: "c1" }), "MESSAGE_NOT_FOUND");
      await expectError(
        store.addMessage("s", user("x"), { commitId: "c2", ifRevision: 9 }),
        "REVISION_CONFLICT",
      );
      expect(await store.addMessage("s", user("x"), { commitId: "c1" })).toMatchObject({ duplicate: false });
      expect(await store.addMessage("s", user("y"), { commitId: "c2" })).toMatchObject({ duplicate: false });
    }),
    behaviour(
      "a repeat that is too old to be recognised is OUTCOME_UNKNOWN and not applied",
      ["G6"],
      async (store) => {
        await store.addMessage("old", numbered(1));
        const bundle = await store.exportSession("old");
        const horizon = Date.now() - 1000; // commits from before are not remembered
        const session = { ...bundle.session, commits: { entries: [], horizon } };
        await store.importSession({ ...bundle, session }, { newId: "s" });
        const resend = (firstSentAt: number): Promise<MutationResult> =>
          store.incrementCounters("s", { turns: 1 }, { commitId: "c1", firstSentAt });
        await expectUnchanged(store, "s", () =>
          expectError(resend(horizon - 1000), "OUTCOME_UNKNOWN", { commitId: "c1" }),
        );
        expect(await resend(horizon + 500)).toMatchObject({ duplicate: false });
      },
    ),
  ],
};
