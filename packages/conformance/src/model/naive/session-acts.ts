import { isDeepStrictEqual } from "node:util";
import type { Json } from "@sessions/protocol";
import { chosen } from "../choice.js";
import type { ActIntent } from "./act-intent.js";
import type { Expectation } from "./expectation.js";
import { type ActContext, existing, liveOf, present } from "./message-acts.js";
import {
  EMPTY_SESSION,
  lastCut,
  type NaiveArchive,
  type NaiveSession,
  type NaiveView,
} from "./naive-session.js";

type ActOf<Kind extends ActIntent["act"]> = Extract<ActIntent, { readonly act: Kind }>;

const NOBODY = "nobody-has-this-id";

export function archive({ keepRecent }: ActOf<"archive">, context: ActContext): Expectation {
  const session = present(context);
  const cut = lastCut(session.live, Math.max(0, session.live.length - keepRecent));
  const next = (returned: unknown): NaiveSession => {
    if (cut === 0) return session;
    const made: NaiveArchive = {
      id: idIn(returned),
      messages: session.live.slice(0, cut),
      summary: "pending",
    };
    return { ...session, live: session.live.slice(cut), archives: [...session.archives, made] };
  };
  return existing(context, { call: (store) => store.archiveMessages(context.id, { keepRecent }), next });
}

/** The first summary wins; a failure may be settled again, and every attempt counts. */
export function settle({ which, fails }: ActOf<"settle">, context: ActContext): Expectation {
  const session = present(context);
  const target = chosen(session.archives, which);
  const result = fails ? { error: `error ${which}` } : { summary: `summary ${which}` };
  const call: Expectation["call"] = (store) => store.settleArchive(context.id, target?.id ?? NOBODY, result);
  if (target === undefined) return existing(context, { call, code: "ARCHIVE_NOT_FOUND" });
  const attempts = Number(/^failed (\d+)/.exec(target.summary)?.[1] ?? 0) + 1;
  const summary = target.summary.startsWith("done")
    ? target.summary
    : fails
      ? `failed ${attempts} error ${which}`
      : `done summary ${which}`;
  const settled = session.archives.map((one) => (one === target ? { ...one, summary } : one));
  return { call, next: () => ({ ...session, archives: settled }) };
}

export function snapshot({ name }: ActOf<"snapshot">, context: ActContext): Expectation {
  const session = present(context);
  const view: NaiveView = { live: session.live, archives: session.archives };
  const taken = snapshotIn(session, name);
  const call: Expectation["call"] = (store) => store.createSnapshot(context.id, name);
  if (taken !== undefined && !isDeepStrictEqual(taken, view))
    return existing(context, { call, code: "INVALID_ARGUMENT" });
  return existing(context, {
    call,
    next: () => ({ ...session, snapshots: { ...session.snapshots, [name]: view } }),
  });
}

export function revert({ name }: ActOf<"revert">, context: ActContext): Expectation {
  const session = present(context);
  const view = snapshotIn(session, name);
  const call: Expectation["call"] = (store) => store.revertToSnapshot(context.id, name);
  if (view === undefined) return existing(context, { call, code: "SNAPSHOT_NOT_FOUND" });
  return { call, rewrites: true, next: () => ({ ...session, ...view }) };
}

export function dropSnapshot({ name }: ActOf<"drop-snapshot">, context: ActContext): Expectation {
  const session = present(context);
  const call: Expectation["call"] = (store) => store.dropSnapshot(context.id, name);
  if (snapshotIn(session, name) === undefined) return existing(context, { call, code: "SNAPSHOT_NOT_FOUND" });
  const { [name]: _, ...snapshots } = session.snapshots;
  return { call, next: () => ({ ...session, snapshots }) };
}

export function metadata({ key, value }: ActOf<"metadata">, context: ActContext): Expectation {
  const session = present(context);
  const patch = Object.fromEntries([[key, value]]);
  const rest = Object.fromEntries(Object.entries(session.metadata).filter(([name]) => name !== key));
  const next: Readonly<Record<string, Json>> =
    value === null ? rest : Object.fromEntries([...Object.entries(rest), [key, value]]);
  return existing(context, {
    call: (store) => store.updateSessionMetadata(context.id, patch),
    next: () => ({ ...session, metadata: next }),
  });
}

export function title({ title: given }: ActOf<"title">, context: ActContext): Expectation {
  const call: Expectation["call"] = (store) => store.patchSession(context.id, { title: given });
  return existing(context, { call, next: () => ({ ...present(context), title: given ?? undefined }) });
}

export function count({ name, delta }: ActOf<"count">, context: ActContext): Expectation {
  const session = present(context);
  const deltas = Object.fromEntries([[name, delta]]);
  const before = Object.hasOwn(session.counters, name) ? (session.counters[name] ?? 0) : 0;
  const rest = Object.entries(session.counters).filter(([other]) => other !== name);
  const counters = delta === 0 ? session.counters : Object.fromEntries([...rest, [name, before + delta]]);
  return existing(context, {
    call: (store) => store.incrementCounters(context.id, deltas),
    next: () => ({ ...session, counters }),
  });
}

/** The fork has the messages, archives, title and metadata up to its point, and nothing else. */
export function fork(
  { at }: ActOf<"fork">,
  context: ActContext,
  to: string,
  there: NaiveSession | undefined,
): Expectation {
  const session = present(context);
  const live = liveOf(context);
  const point = at === undefined ? undefined : chosen(live, at);
  const call: Expectation["call"] = (store) =>
    store.forkSession(context.id, { newId: to, ...(point === undefined ? {} : { at: point.id }) });
  if (context.session === undefined) return { call, code: "SESSION_NOT_FOUND" };
  if (there !== undefined) return { call, code: "SESSION_EXISTS" };
  const kept = point === undefined ? live : live.slice(0, live.indexOf(point) + 1);
  const made = { ...session, live: kept, counters: {}, snapshots: {} };
  const revision = (tombstone: number): number => Math.max(1, tombstone + 1);
  return { call, made: { id: to, session: made, revision, rewrittenAt: 0 } };
}

/** Exported here, imported there: everything comes along. The same thing again is a duplicate. */
export function move(
  context: ActContext,
  to: string,
  there: NaiveSession | undefined,
  revision: number,
): Expectation {
  const call: Expectation["call"] = async (store) =>
    store.importSession(await store.exportSession(context.id), { newId: to });
  if (context.session === undefined) return { call, code: "SESSION_NOT_FOUND" };
  if (to === context.id) return { call };
  // Whether they are the same session to the last detail is more than arrays know.
  if (isDeepStrictEqual(there, context.session)) return { call: async () => undefined };
  if (there !== undefined) return { call, code: "SESSION_EXISTS" };
  return {
    call,
    made: {
      id: to,
      session: context.session,
      revision: (tombstone) => Math.max(revision, tombstone + 1),
      rewrittenAt: context.rewrittenAt,
    },
  };
}

export function create(context: ActContext): Expectation {
  const call: Expectation["call"] = (store) => store.createSession(context.id);
  return context.session === undefined
    ? { call, next: () => EMPTY_SESSION }
    : { call, code: "SESSION_EXISTS" };
}

export function remove(context: ActContext): Expectation {
  return { call: (store) => store.deleteSession(context.id), next: () => undefined };
}

function snapshotIn(session: NaiveSession, name: string): NaiveView | undefined {
  return Object.hasOwn(session.snapshots, name) ? session.snapshots[name] : undefined;
}

function idIn(returned: unknown): string {
  if (typeof returned === "object" && returned !== null && "id" in returned) return String(returned.id);
  throw new Error("archiveMessages returned no archive although there was something to archive");
}
