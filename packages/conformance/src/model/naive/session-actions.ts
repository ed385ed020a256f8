import { isDeepStrictEqual } from "node:util";
import type { Json } from "@sessions/protocol";
import { chosen } from "../choice.js";
import { UNKNOWN_ID } from "../unknown-id.js";
import type { ActionIntent } from "./action-intent.js";
import type { Expectation } from "./expectation.js";
import { type ActionContext, liveOf, requiringSession, sessionOrEmpty } from "./message-actions.js";
import {
  EMPTY_SESSION,
  lastBoundary,
  type NaiveArchive,
  type NaiveSession,
  type NaiveView,
} from "./naive-session.js";

type ActionOf<Kind extends ActionIntent["action"]> = Extract<ActionIntent, { readonly action: Kind }>;

export function archive({ keepRecent }: ActionOf<"archive">, context: ActionContext): Expectation {
  const session = sessionOrEmpty(context);
  const cut = lastBoundary(session.live, Math.max(0, session.live.length - keepRecent));
  const next = (returned: unknown): NaiveSession => {
    if (cut === 0) return session;
    const made: NaiveArchive = {
      id: idIn(returned),
      messages: session.live.slice(0, cut),
      summary: "pending",
    };
    return { ...session, live: session.live.slice(cut), archives: [...session.archives, made] };
  };
  return requiringSession(context, {
    call: (store) => store.archiveMessages(context.id, { keepRecent }),
    next,
  });
}

/** The first summary is final. A failure can be settled again, and its attempts are counted. */
export function settle({ which, fails }: ActionOf<"settle">, context: ActionContext): Expectation {
  const session = sessionOrEmpty(context);
  const target = chosen(session.archives, which);
  const result = fails ? { error: `error ${which}` } : { summary: `summary ${which}` };
  const call: Expectation["call"] = (store) =>
    store.settleArchive(context.id, target?.id ?? UNKNOWN_ID, result);
  if (target === undefined) return requiringSession(context, { call, code: "ARCHIVE_NOT_FOUND" });
  const attempts = Number(/^failed (\d+)/.exec(target.summary)?.[1] ?? 0) + 1;
  const summary = target.summary.startsWith("done")
    ? target.summary
    : fails
      ? `failed ${attempts} error ${which}`
      : `done summary ${which}`;
  const settled = session.archives.map((one) => (one === target ? { ...one, summary } : one));
  return { call, next: () => ({ ...session, archives: settled }) };
}

export function snapshot({ name }: ActionOf<"snapshot">, context: ActionContext): Expectation {
  const session = sessionOrEmpty(context);
  const view: NaiveView = { live: session.live, archives: session.archives };
  const taken = snapshotIn(session, name);
  const call: Expectation["call"] = (store) => store.createSnapshot(context.id, name);
  if (taken !== undefined && !isDeepStrictEqual(taken, view))
    return requiringSession(context, { call, code: "INVALID_ARGUMENT" });
  return requiringSession(context, {
    call,
    next: () => ({ ...session, snapshots: { ...session.snapshots, [name]: view } }),
  });
}

export function revert({ name }: ActionOf<"revert">, context: ActionContext): Expectation {
  const session = sessionOrEmpty(context);
  const view = snapshotIn(session, name);
  const call: Expectation["call"] = (store) => store.revertToSnapshot(context.id, name);
  if (view === undefined) return requiringSession(context, { call, code: "SNAPSHOT_NOT_FOUND" });
  return { call, rewrites: true, next: () => ({ ...session, ...view }) };
}

export function dropSnapshot({ name }: ActionOf<"drop-snapshot">, context: ActionContext): Expectation {
  const session = sessionOrEmpty(context);
  const call: Expectation["call"] = (store) => store.dropSnapshot(context.id, name);
  if (snapshotIn(session, name) === undefined)
    return requiringSession(context, { call, code: "SNAPSHOT_NOT_FOUND" });
  const { [name]: _, ...snapshots } = session.snapshots;
  return { call, next: () => ({ ...session, snapshots }) };
}

export function metadata({ key, value }: ActionOf<"metadata">, context: ActionContext): Expectation {
  const session = sessionOrEmpty(context);
  const patch = Object.fromEntries([[key, value]]);
  const rest = Object.fromEntries(Object.entries(session.metadata).filter(([name]) => name !== key));
  const next: Readonly<Record<string, Json>> =
    value === null ? rest : Object.fromEntries([...Object.entries(rest), [key, value]]);
  return requiringSession(context, {
    call: (store) => store.updateSessionMetadata(context.id, patch),
    next: () => ({ ...session, metadata: next }),
  });
}

export function title({ title: newTitle }: ActionOf<"title">, context: ActionContext): Expectation {
  const call: Expectation["call"] = (store) => store.patchSession(context.id, { title: newTitle });
  return requiringSession(context, {
    call,
    next: () => ({ ...sessionOrEmpty(context), title: newTitle ?? undefined }),
  });
}

export function count({ name, delta }: ActionOf<"count">, context: ActionContext): Expectation {
  const session = sessionOrEmpty(context);
  const deltas = Object.fromEntries([[name, delta]]);
  const before = Object.hasOwn(session.counters, name) ? (session.counters[name] ?? 0) : 0;
  const rest = Object.entries(session.counters).filter(([other]) => other !== name);
  const counters = delta === 0 ? session.counters : Object.fromEntries([...rest, [name, before + delta]]);
  return requiringSession(context, {
    call: (store) => store.incrementCounters(context.id, deltas),
    next: () => ({ ...session, counters }),
  });
}

/** The fork has the messages through its point, the archives, the title and the metadata, and nothing else. */
export function fork(
  { at }: ActionOf<"fork">,
  context: ActionContext,
  to: string,
  there: NaiveSession | undefined,
): Expectation {
  const session = sessionOrEmpty(context);
  const live = liveOf(context);
  const point = at === undefined ? undefined : chosen(live, at);
  const call: Expectation["call"] = (store) =>
    store.forkSession(context.id, { newId: to, ...(point === undefined ? {} : { at: point.id }) });
  if (context.session === undefined) return { call, code: "SESSION_NOT_FOUND" };
  if (there !== undefined) return { call, code: "SESSION_EXISTS" };
  const kept = point === undefined ? live : live.slice(0, live.indexOf(point) + 1);
  const made = { ...session, live: kept, counters: {}, snapshots: {} };
  const revision = (tombstone: number): number => Math.max(1, tombstone + 1);
  return { call, created: { id: to, session: made, revision, rewrittenAt: 0 } };
}

/** Exports the session and imports it under another id, with everything. Importing it again is a duplicate. */
export function exportAndImport(
  context: ActionContext,
  to: string,
  there: NaiveSession | undefined,
  revision: number,
): Expectation {
  const call: Expectation["call"] = async (store) =>
    store.importSession(await store.exportSession(context.id), { newId: to });
  if (context.session === undefined) return { call, code: "SESSION_NOT_FOUND" };
  if (to === context.id) return { call };
  // Not called: whether the import is a duplicate depends on fields that this model does not have.
  if (isDeepStrictEqual(there, context.session)) return { call: async () => undefined };
  if (there !== undefined) return { call, code: "SESSION_EXISTS" };
  return {
    call,
    created: {
      id: to,
      session: context.session,
      revision: (tombstone) => Math.max(revision, tombstone + 1),
      rewrittenAt: context.rewrittenAt,
    },
  };
}

export function create(context: ActionContext): Expectation {
  const call: Expectation["call"] = (store) => store.createSession(context.id);
  return context.session === undefined
    ? { call, next: () => EMPTY_SESSION }
    : { call, code: "SESSION_EXISTS" };
}

export function remove(context: ActionContext): Expectation {
  return { call: (store) => store.deleteSession(context.id), next: () => undefined };
}

function snapshotIn(session: NaiveSession, name: string): NaiveView | undefined {
  return Object.hasOwn(session.snapshots, name) ? session.snapshots[name] : undefined;
}

function idIn(returned: unknown): string {
  if (typeof returned === "object" && returned !== null && "id" in returned) return String(returned.id);
  throw new Error("archiveMessages returned no archive although there was something to archive");
}
