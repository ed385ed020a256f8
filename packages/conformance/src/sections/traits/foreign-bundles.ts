import {
  type SessionBundle,
  type SessionDocument,
  SessionError,
  type SessionStore,
} from "@sessions/protocol";
import { expect } from "vitest";
import { expectError } from "../../assertions/expect-error.js";
import { expectSameJson } from "../../assertions/expect-same-json.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { brokenBundles } from "../../samples/broken-bundles.js";
import { bundleOfANewerVersion } from "../../samples/bundle-of-a-newer-version.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { user } from "../../samples/messages.js";
import { type MutableJson, mutate } from "../../samples/mutated-json.js";
import { randomFrom } from "../../samples/random.js";
import { untyped } from "../../samples/untyped.js";

const MUTATED_BUNDLES = 150;
const MAX_MUTATIONS = 3;

export const foreignBundles: Section = {
  name: "foreign bundles",
  cases: [
    behaviour(
      "unknown fields of a bundle are kept by an import, for every instance, and by later commits",
      ["G20", "G9"],
      async (store, { open, openElsewhere }) => {
        const bundle = await bundleOfANewerVersion(await openElsewhere(), "s");
        await store.importSession(bundle);
        expect(await store.exportSession("s")).toEqual(bundle);
        const other = await open();
        expect(await other.exportSession("s")).toEqual(bundle);
        expect(await other.getSession("s")).toEqual(await store.getSession("s"));
        await other.updateSessionMetadata("s", { seen: true });
        await other.addMessage("s", user("later", { id: "later" }));
        const { session } = await (await open()).exportSession("s");
        const { messages, snapshots } = bundle.session;
        expect(session).toMatchObject({ added: { later: [1] }, snapshots });
        expect(session.messages.slice(0, -1)).toEqual(messages);
      },
    ),
    behaviour(
      "importing a bundle with unknown fields again is a duplicate",
      ["G20", "G6"],
      async (store, { open, openElsewhere }) => {
        const { session, ...envelope } = await bundleOfANewerVersion(await openElsewhere(), "s");
        const finishedTurns = { ...session.finishedTurns, added: 1 };
        const commits = { ...session.commits, added: 1 };
        const bundle: SessionBundle = { ...envelope, session: { ...session, finishedTurns, commits } };
        const { revision } = await store.importSession(bundle);
        for (const one of [store, await open()])
          expect(await one.importSession(bundle)).toMatchObject({ revision, duplicate: true });
      },
    ),
    behaviour(
      "an unknown field with the name of a part of a store's state has no effect",
      ["G20", "G7"],
      async (store, { openElsewhere }) => {
        await store.importSession(await bundleOfANewerVersion(await openElsewhere(), "s"));
        expect(await store.getSession("s")).not.toHaveProperty("turn");
        expect(await store.runTurn("s", { turnId: "t2" }, () => undefined)).toBeDefined();
      },
    ),
    behaviour(
      "a bundle that contradicts itself is refused with the path to what is wrong",
      ["G2"],
      async (store, { openElsewhere }) => {
        const elsewhere = await openElsewhere();
        await eventfulSession(elsewhere, "s");
        const bundle = await elsewhere.exportSession("s");
        for (const [path, session] of brokenBundles(bundle.session)) {
          const broken = untyped<SessionBundle>({ ...bundle, session });
          await expectError(store.importSession(broken), "INVALID_ARGUMENT", {
            path: `bundle.session.${path}`,
          });
        }
        expect(await store.sessionExists("s")).toBe(false);
      },
    ),
    behaviour(
      "a message of the greatest allowed depth can be exported and imported",
      ["G9"],
      async (store, { openElsewhere }) => {
        const deep = JSON.parse(`${'{"a":'.repeat(498)}1${"}".repeat(498)}`);
        await store.addMessage("s", user("deep", { id: "d", deep }), { commitId: "c1" });
        await store.createSnapshot("s", "deep");
        await store.popMessage("s", { commitId: "c2" });
        const bundle = await store.exportSession("s");
        const elsewhere = await openElsewhere();
        await elsewhere.importSession(bundle);
        expectSameJson(await elsewhere.exportSession("s"), bundle);
      },
    ),
    behaviour(
      "numbers at the ends of their ranges are imported and exported unchanged",
      ["G9", "G5"],
      async (store, { open, openElsewhere }) => {
        const { session } = await bundleOfANewerVersion(await openElsewhere(), "s");
        const other = await open();
        const edges: readonly object[] = [
          { revision: 1e13 },
          { updatedAt: 1e300 },
          { createdAt: -1e300 },
          { expiresAt: 1e300 },
          { expiresAt: 2 ** 53 - 1 },
          { counters: { turns: 2 ** 53 - 1, tokens: 1 - 2 ** 53 } },
        ];
        for (const [n, edge] of edges.entries()) {
          const bundle = untyped<SessionBundle>({ session: { ...session, ...edge } });
          await importsOrRefuses(store, other, {
            ...bundle,
            format: "sessions-bundle",
            version: 1,
            sessionId: `s${n}`,
          });
          expect(await other.sessionExists(`s${n}`), JSON.stringify(edge)).toBe(true);
          const { revision } = await other.addMessage(`s${n}`, user("and again"));
          expect(revision).toBe(Math.max(session.revision, bundle.session.revision) + 2);
        }
      },
    ),
    behaviour(
      "a randomly changed bundle is either refused with a path or imported and exported unchanged",
      ["G2", "G9"],
      async (store, { open, openElsewhere, seed }) => {
        const text = JSON.stringify(await bundleOfANewerVersion(await openElsewhere(), "s"));
        const random = randomFrom(seed);
        const other = await open();
        for (let n = 0; n < MUTATED_BUNDLES; n++) {
          const bundle: SessionBundle = mutated(text, `s${n}`, random);
          await importsOrRefuses(store, other, bundle).catch((cause: unknown) => {
            throw new Error(`seed ${seed}, bundle ${n}: ${JSON.stringify(bundle)}`, { cause });
          });
        }
      },
    ),
  ],
};

function mutated(text: string, sessionId: string, random: () => number): SessionBundle {
  const session: { session: MutableJson } = { session: JSON.parse(text).session };
  for (let n = Math.ceil(random() * MAX_MUTATIONS); n > 0; n--) mutate(session, random);
  return untyped({ format: "sessions-bundle", version: 1, sessionId, ...session });
}

async function importsOrRefuses(
  store: SessionStore,
  other: SessionStore,
  bundle: SessionBundle,
): Promise<void> {
  const { sessionId: id } = bundle;
  try {
    await store.importSession(bundle);
  } catch (error) {
    expect(SessionError.is(error), String(error)).toBe(true);
    expect(error).toMatchObject({ path: expect.stringMatching(/./) });
    expect(error).toSatisfy(
      (one) => SessionError.is(one, "INVALID_ARGUMENT") || SessionError.is(one, "TOO_LARGE"),
    );
    expect(await other.sessionExists(id)).toBe(false);
    return;
  }
  const { expiresAt } = bundle.session;
  if (expiresAt !== undefined && expiresAt <= Date.now()) {
    expect(await other.sessionExists(id)).toBe(false);
    return;
  }
  for (const one of [store, other]) {
    expect(comparable((await one.exportSession(id)).session)).toEqual(comparable(bundle.session));
    expect(await one.verify(id)).toMatchObject({ ok: true });
  }
  expect(await other.importSession(bundle)).toMatchObject({ duplicate: true });
  await other.addMessage(id, user("later"));
}

/** Without what stores may write in several ways: how much of a snapshot is shared, and the order of old commits. */
function comparable(session: SessionDocument): object {
  const { snapshots, commits, finishedTurns, ...rest } = session;
  return {
    ...rest,
    // Without it every base before the current revision is refused.
    rewrittenAt: session.rewrittenAt ?? session.revision,
    commits: commits.entries.toSorted((a, b) => a.at - b.at),
    horizons: [commits.horizon, finishedTurns.horizon],
    finishedTurns: finishedTurns.entries,
    snapshots: snapshots.map(({ shared, messages, revisions, ...snapshot }) => ({
      ...snapshot,
      messages: [...session.messages.slice(0, shared), ...messages],
      revisions: [...session.revisions.slice(0, shared), ...revisions],
    })),
  };
}
