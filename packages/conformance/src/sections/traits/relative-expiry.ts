import type { Session, SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectUnchanged } from "../../assertions/expect-unchanged.js";
import { behaviour } from "../../behaviour.js";
import type { Case } from "../../case.js";
import { idsOf, numbered, user } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";
import { startWatching } from "../../samples/watcher.js";

const HOUR_MS = 3_600_000;
const SLIDING = { expiresIn: HOUR_MS, renewOnUse: true } as const;
/** Long enough for a renewed session to survive a loaded machine's pause of a second. */
const SHORT_MS = 2_000;

/** Resolves when the store's time is later than the session's last change and the commit that set its expiry. */
async function later(
  store: SessionStore,
  { updatedAt, expiresAt = 0, expiresIn = 0 }: Session,
): Promise<void> {
  const lastUsedAt = Math.max(updatedAt, expiresAt - expiresIn);
  await eventually(async () => {
    await store.addMessage("clock", user("tick"));
    expect((await existingSession(store, "clock")).updatedAt).toBeGreaterThan(lastUsedAt);
  });
}

/** Expects that the session expires this long after its last change. */
function expectExpiresAfter({ expiresAt, updatedAt }: Session, lengthMs: number): void {
  expect(expiresAt).toBe(updatedAt + lengthMs);
}

const USES: Readonly<Record<string, (store: SessionStore) => Promise<unknown>>> = {
  "an append": (store) => store.addMessage("s", user("more")),
  "an append with a commit id": (store) => store.addMessage("s", user("once"), { commitId: "c1" }),
  "several messages at once": (store) => store.addMessage("s", numbered(3, 10)),
  "a change of metadata": (store) => store.updateSessionMetadata("s", { a: 1 }),
  "a change of title": (store) => store.patchSession("s", { title: "T" }),
  "an increment": (store) => store.incrementCounters("s", { n: 1 }),
  "a snapshot": (store) => store.createSnapshot("s", "mark"),
  "a replaced history": (store) => store.setChatHistory("s", [user("fresh")]),
  "an archive": (store) => store.archiveMessages("s", { keepRecent: 0 }),
  "a draft and its extension": async (store) => {
    await store.addMessage("s", user("dra", { id: "d", status: "partial" }));
    await store.commit("s", [{ op: "extend", messageId: "d", text: "ft", status: "complete" }]);
  },
  "a turn": async (store) => (await startTurn(store, "s")).complete(),
};

/** Cases about expiries that are set as a length of time. */
export const relativeExpiry: readonly Case[] = [
  behaviour(
    "a session created with expiresIn expires that long after its creation",
    ["G16"],
    async (store) => {
      await store.createSession("s", { expiresIn: SHORT_MS, messages: numbered(1) });
      const { expiresAt = 0 } = await existingSession(store, "s");
      const leftMs = expiresAt - Date.now();
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(SHORT_MS);
      await eventually(async () => expect(await store.sessionExists("s")).toBe(false));
    },
  ),
  behaviour("expiresIn counts from the commit that sets it", ["G16"], async (store, { open }) => {
    await store.addMessage("s", user("x"));
    await store.patchSession("s", { expiresIn: HOUR_MS });
    const session = await existingSession(await open(), "s");
    expect(session).toMatchObject({ revision: 2, expiresIn: HOUR_MS });
    expectExpiresAfter(session, HOUR_MS);
    await later(store, session);
    await store.addMessage("s", user("y"));
    expect((await existingSession(store, "s")).expiresAt, "without renewOnUse it stays").toBe(
      session.expiresAt,
    );
  }),
  ...Object.entries(USES).map(([use, run]) =>
    behaviour(
      `a session with renewOnUse is renewed by ${use}, in the same commit`,
      ["G16", "G5"],
      async (store, { open }) => {
        await store.createSession("s", { ...SLIDING, messages: numbered(2) });
        const before = await existingSession(store, "s");
        await later(store, before);
        await run(store);
        for (const one of [store, await open()]) {
          const after = await existingSession(one, "s");
          expect(after).toMatchObject(SLIDING);
          expect(after.expiresAt).toBeGreaterThan(before.expiresAt ?? 0);
          expectExpiresAfter(after, HOUR_MS);
          expect((await one.listSessions({ updatedSince: 0 })).items).toContainEqual(
            expect.objectContaining({ id: "s", expiresAt: after.expiresAt, ...SLIDING }),
          );
        }
      },
    ),
  ),
  behaviour(
    "reads, repeats and commits that change nothing do not renew a session",
    ["G16", "G3"],
    async (store, { open }) => {
      await store.createSession("s", { ...SLIDING, title: "T", messages: numbered(2) });
      await store.addMessage("s", user("x"), { commitId: "c1" });
      const before = await existingSession(store, "s");
      await later(store, before);
      for (const one of [store, await open()]) {
        await one.getChatHistory("s");
        await one.getMessages("s", ["m1"]);
        await one.getContext("s", { maxTokens: 100 });
        await one.listSessions();
        await one.exportSession("s");
        await one.verify("s");
        await one.addMessage("s", user("x"), { commitId: "c1" });
        await one.patchSession("s", { title: "T" });
        await expectError(one.patchSession("s", { title: "U" }, { ifRevision: 99 }), "REVISION_CONFLICT");
        expect(await existingSession(one, "s")).toEqual(before);
      }
    },
  ),
  behaviour(
    "the renewal of a turn renews the session and does not raise the revision",
    ["G16", "G5"],
    async (store, { open }) => {
      await store.createSession("s", SLIDING);
      const turn = await startTurn(store, "s", { renew: false, ttlMs: 60_000 });
      const before = await existingSession(store, "s");
      await later(store, before);
      await turn.renew();
      const after = await existingSession(await open(), "s");
      expect(after.revision).toBe(before.revision);
      expect(after.updatedAt).toBe(before.updatedAt);
      expect(after.expiresAt).toBeGreaterThan(before.expiresAt ?? 0);
    },
  ),
  behaviour(
    "a session does not expire while a turn renews it, and watchers get one deletion when it does",
    ["G16"],
    async (store) => {
      const watcher = startWatching(store, { session: "s", since: 0 });
      await store.createSession("s", { expiresIn: SHORT_MS, renewOnUse: true });
      const begunAt = performance.now();
      const turn = await startTurn(store, "s", { ttlMs: SHORT_MS });
      await eventually(async () => {
        await existingSession(store, "s");
        expect(performance.now() - begunAt).toBeGreaterThan(1.3 * SHORT_MS);
      });
      expect(watcher.seen.some(({ deleted }) => deleted === true)).toBe(false);
      await turn.complete();
      await eventually(async () => {
        expect(await store.sessionExists("s")).toBe(false);
        expect(watcher.seen.filter(({ deleted }) => deleted === true)).toHaveLength(1);
      });
      await watcher.stop();
    },
  ),
  behaviour(
    "concurrent appends of several instances all renew the session and are all kept",
    ["G16", "G4"],
    async (store, { open }) => {
      await store.createSession("s", SLIDING);
      await later(store, await existingSession(store, "s"));
      const stores = [store, await open(), await open()];
      await Promise.all(
        stores.flatMap((one, n) =>
          Array.from({ length: 10 }, (_, k) => one.addMessage("s", user("x", { id: `${n}-${k}` }))),
        ),
      );
      const session = await existingSession(store, "s");
      expect(session).toMatchObject({ revision: 31, messageCount: 30 });
      expectExpiresAfter(session, HOUR_MS);
    },
  ),
  behaviour("expiresAt, or null for either, replaces expiresIn and renewOnUse", ["G16"], async (store) => {
    for (const [id, patch] of [
      ["absolute", { expiresAt: Date.now() + 2 * HOUR_MS }],
      ["no expiresAt", { expiresAt: null }],
      ["no expiresIn", { expiresIn: null }],
    ] as const) {
      await store.createSession(id, SLIDING);
      await store.patchSession(id, patch);
      await store.addMessage(id, user("x"));
      const session = await existingSession(store, id);
      for (const gone of ["expiresIn", "renewOnUse"]) expect(session).not.toHaveProperty(gone);
      expect(session.expiresAt).toBe(patch.expiresAt ?? undefined);
    }
  }),
  behaviour("renewOnUse can be switched on and off, and expiresIn changed", ["G16"], async (store) => {
    await store.createSession("s", { expiresIn: HOUR_MS });
    await store.patchSession("s", { renewOnUse: true });
    await store.addMessage("s", user("x"));
    expectExpiresAfter(await existingSession(store, "s"), HOUR_MS);
    await store.patchSession("s", { expiresIn: 2 * HOUR_MS });
    await store.addMessage("s", user("y"));
    const sliding = await existingSession(store, "s");
    expect(sliding).toMatchObject({ expiresIn: 2 * HOUR_MS, renewOnUse: true });
    expectExpiresAfter(sliding, 2 * HOUR_MS);
    await later(store, sliding);
    await store.patchSession("s", { renewOnUse: false });
    await store.addMessage("s", user("z"));
    const fixed = await existingSession(store, "s");
    expect(fixed).toMatchObject({ expiresIn: 2 * HOUR_MS, expiresAt: sliding.expiresAt });
    expect(fixed).not.toHaveProperty("renewOnUse");
  }),
  behaviour(
    "an invalid combination of expiry options is refused, and nothing changes",
    ["G2"],
    async (store) => {
      await store.createSession("s", { title: "T", messages: numbered(1) });
      await expectUnchanged(store, "s", async () => {
        for (const patch of [
          { renewOnUse: true },
          { expiresAt: Date.now() + HOUR_MS, renewOnUse: true },
          { expiresAt: Date.now() + HOUR_MS, expiresIn: HOUR_MS },
          { expiresIn: null, renewOnUse: true },
          ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER].map((expiresIn) => ({
            expiresIn,
          })),
        ])
          await expectError(store.patchSession("s", { ...patch, title: "U" }), "INVALID_ARGUMENT");
      });
      await expectError(store.createSession("t", { renewOnUse: true }), "INVALID_ARGUMENT");
      await expectError(
        store.createSession("t", { expiresIn: HOUR_MS, expiresAt: Date.now() }),
        "INVALID_ARGUMENT",
      );
      expect(await store.sessionExists("t")).toBe(false);
    },
  ),
  behaviour(
    "a fork has no expiry; an imported session has that of the bundle, and the next use renews it",
    ["G13", "G16"],
    async (store, { openElsewhere }) => {
      await store.createSession("s", { ...SLIDING, messages: numbered(2) });
      await store.forkSession("s", { newId: "f" });
      for (const field of ["expiresAt", "expiresIn", "renewOnUse"])
        expect(await existingSession(store, "f")).not.toHaveProperty(field);
      const bundle = await store.exportSession("s");
      const before = await existingSession(store, "s");
      const elsewhere = await openElsewhere();
      await elsewhere.importSession(bundle);
      const { expiresAt } = await existingSession(elsewhere, "s");
      expect(expiresAt).toBe(before.expiresAt);
      expect(await elsewhere.importSession(bundle)).toMatchObject({ duplicate: true });
      await later(elsewhere, before);
      await elsewhere.addMessage("s", user("x"));
      const used = await existingSession(elsewhere, "s");
      expect(used).toMatchObject(SLIDING);
      expectExpiresAfter(used, HOUR_MS);
      expect(idsOf(used.messages).slice(0, 2)).toEqual(["m1", "m2"]);
    },
  ),
];
