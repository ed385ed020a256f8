import type { ListQuery, Page, SummaryRecord } from "@sessions/protocol/backend";
import { Damage } from "@sessions/protocol/backend";
import { type Candidate, type CandidateSource, type CandidateStream, Candidates } from "./candidates.js";
import type { Deadline } from "./deadline.js";
import { GatheredCandidates } from "./gathered-candidates.js";
import type { Keys, ShardKeys } from "./keys.js";
import { comparePlaces, cursorOf, type ListPlace, listPlaceOf, readCursor } from "./list-place.js";
import { type ListedSession, listedSession } from "./listed-session.js";
import { idOf, placeOf } from "./place.js";
import type { Server } from "./server.js";
import { placesIn } from "./shard-places.js";
import { SortedOrAllCandidates } from "./sorted-or-all-candidates.js";
import { type Told, toldIn } from "./told.js";
import { isWrongType } from "./wrong-type.js";

interface ListContext {
  readonly server: Server;
  readonly keys: Keys;
  /** Told of what the index says and is not so. */
  readonly onStale: (stale: Stale) => void;
  /** Told of sessions that cannot be read, and so are left out. */
  readonly onDamage: (id: string, error: Damage) => void;
  /** Told of a part of the index where another program has written over a key. */
  readonly onWrongType: (shard: ShardKeys) => void;
}

/** A session of which the index says something else than is so. */
export interface Stale {
  readonly id: string;
  /** As it is; absent if it does not exist. */
  readonly session: ListedSession | undefined;
  /** The set of a label or a parent in which it should not be. */
  readonly set: string | undefined;
  /** What the index was told, and no commit has followed. */
  readonly told?: Told;
}

/** So many sessions are looked at together. */
const LOOKED_AT = 64;

/** How much the index may be off without being corrected, in milliseconds. */
const TOLERATED_MS = 1000;

/**
 * One page of sessions. The index names candidates and where they stand at best; the sessions themselves say what they are.
 * A session is given out when no candidate that is left can stand before it.
 */
export async function listSessions(
  context: ListContext,
  query: ListQuery,
  deadline: Deadline,
): Promise<Page<SummaryRecord>> {
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const merged = context.keys.shards().map((shard) => streamOf(context, shard, query, after));
  const found: SummaryRecord[] = [];
  const byPlace = (a: SummaryRecord, b: SummaryRecord): number =>
    comparePlaces(listPlaceOf(a, query.order), listPlaceOf(b, query.order), query.order);
  for (;;) {
    const some = await nextOf(merged, query, deadline);
    found.push(...(await lookAt(context, some, query, after, deadline)));
    found.sort(byPlace);
    const best = await bestOf(merged, query, deadline);
    if (best === undefined || isBeyond(best, query)) break;
    const uncertain = found.findIndex((one) => !isBefore(one, best, query));
    if ((uncertain < 0 ? found.length : uncertain) > query.limit) break;
  }
  const all = (await withDoubtful(context, query, after, found, deadline)).sort(byPlace);
  const page = all.slice(0, query.limit);
  const last = page.at(-1);
  const items = page.map((summary) => withMetadata(summary, query.metadata ?? []));
  const isLast = last === undefined || all.length <= query.limit;
  return { items, ...(isLast ? {} : { cursor: cursorOf(listPlaceOf(last, query.order)) }) };
}

/**
 * Of some sessions the index does not know where they stand: it was told of a change that may never have come. They are looked at
 * themselves, and last: whatever was told while the index was walked, so that a session went from where it had not been to where
 * it was no more, is known by now.
 */
async function withDoubtful(
  context: ListContext,
  query: ListQuery,
  after: ListPlace | undefined,
  found: readonly SummaryRecord[],
  deadline: Deadline,
): Promise<SummaryRecord[]> {
  if (query.order.startsWith("id")) return [...found];
  const { keys, onStale } = context;
  const told = await Promise.all(keys.shards().map((shard) => doubtfulIn(context, shard, deadline)));
  const doubtful = new Set<string>();
  for (const one of told.flat()) {
    doubtful.add(one.id);
    if (one.at !== undefined)
      onStale({ id: one.id, session: undefined, set: undefined, told: { id: one.id, at: one.at } });
  }
  const all = found.filter(({ id }) => !doubtful.has(id));
  const ids = [...doubtful];
  for (let from = 0; from < ids.length; from += LOOKED_AT)
    for (const { summary } of await readAll(context, ids.slice(from, from + LOOKED_AT), deadline))
      if (belongs(summary, query) && isAfter(summary, query, after)) all.push(summary);
  return all;
}

/** Where it cannot be known of which sessions the index was told, that may be any of them. */
async function doubtfulIn(
  { server, onWrongType }: ListContext,
  shard: ShardKeys,
  deadline: Deadline,
): Promise<readonly { readonly id: string; readonly at?: number }[]> {
  try {
    return await toldIn(server, shard, deadline);
  } catch (error) {
    if (!isWrongType(error)) throw error;
    onWrongType(shard);
    return (await placesIn(server, shard, deadline)).map((place) => ({ id: idOf(place) }));
  }
}

function streamOf(
  { server, onWrongType }: ListContext,
  shard: ShardKeys,
  query: ListQuery,
  after: ListPlace | undefined,
): CandidateStream {
  return new SortedOrAllCandidates(sortedStreamOf(server, shard, query, after), {
    server,
    shard,
    order: query.order,
    onWrongType: () => onWrongType(shard),
  });
}

/** A set that is in another order than the list is gathered first: it is smaller than all sessions. */
function sortedStreamOf(
  server: Server,
  shard: ShardKeys,
  query: ListQuery,
  after: ListPlace | undefined,
): CandidateStream {
  const { order } = query;
  const set = order.startsWith("updated") ? undefined : setOf(shard, query);
  if (set === undefined) return new Candidates(server, sourceOf(shard, query, after));
  return new GatheredCandidates(server, { set, order, created: shard.created });
}

function sourceOf(shard: ShardKeys, query: ListQuery, after: ListPlace | undefined): CandidateSource {
  const { order, updatedSince } = query;
  const isRecent = order.startsWith("updated");
  const times = [after?.time, isRecent && order.endsWith("asc") ? updatedSince : undefined];
  const known = times.filter((time) => time !== undefined);
  const fromTime = known.length === 0 ? undefined : Math.max(...known);
  const base = {
    order,
    isBound: isRecent,
    fromTime,
    fromPlace: after === undefined ? undefined : placeOf(after.id),
  };
  if (isRecent) return { ...base, key: setOf(shard, query) ?? shard.recent };
  return { ...base, key: order.startsWith("created") ? shard.created : shard.named };
}

/** The set of a label or of a parent that narrows the search. */
function setOf(shard: ShardKeys, { labels = {}, parent }: ListQuery): string | undefined {
  if (parent !== undefined) return shard.forked(parent);
  const [first] = Object.entries(labels);
  return first === undefined ? undefined : shard.labelled(...first);
}

/** The next candidates of all shards, in order. */
async function nextOf(
  merged: readonly CandidateStream[],
  query: ListQuery,
  deadline: Deadline,
): Promise<readonly Candidate[]> {
  const some: Candidate[] = [];
  await Promise.all(merged.map((one) => one.fill(deadline)));
  while (some.length < LOOKED_AT) {
    const first = firstOf(merged, query);
    const next = first?.take();
    if (first === undefined || next === undefined) break;
    some.push(next);
    if (first.next === undefined) await first.fill(deadline);
  }
  return some;
}

async function bestOf(
  merged: readonly CandidateStream[],
  query: ListQuery,
  deadline: Deadline,
): Promise<Candidate | undefined> {
  await Promise.all(merged.map((one) => one.fill(deadline)));
  return firstOf(merged, query)?.next;
}

function firstOf(merged: readonly CandidateStream[], { order }: ListQuery): CandidateStream | undefined {
  let first: CandidateStream | undefined;
  for (const one of merged) {
    if (one.next === undefined) continue;
    if (first?.next === undefined || comparePlaces(one.next, first.next, order) < 0) first = one;
  }
  return first;
}

/** Whether nothing that is left can stand before it. */
function isBefore(summary: SummaryRecord, best: Candidate, { order }: ListQuery): boolean {
  const place = listPlaceOf(summary, order);
  // Of those with the same time any may be left, unless ids alone count.
  if (!order.startsWith("id")) return order.endsWith("asc") ? place.time < best.time : place.time > best.time;
  return comparePlaces(place, best, order) < 0;
}

/** Whether nothing that is left has changed recently enough. */
function isBeyond(best: Candidate, { order, updatedSince }: ListQuery): boolean {
  return order === "updated-desc" && updatedSince !== undefined && best.time < updatedSince;
}

async function lookAt(
  context: ListContext,
  candidates: readonly Candidate[],
  query: ListQuery,
  after: ListPlace | undefined,
  deadline: Deadline,
): Promise<readonly SummaryRecord[]> {
  const found = await Promise.all(
    candidates.map(async (candidate) => {
      const session = await readListed(context, candidate.id, deadline);
      if (session === "damaged") return [];
      return judged(context, query, after, candidate, session) ? [session] : [];
    }),
  );
  return found.flat().flatMap((session) => (session === undefined ? [] : [session.summary]));
}

async function readAll(
  context: ListContext,
  ids: readonly string[],
  deadline: Deadline,
): Promise<readonly ListedSession[]> {
  const read = await Promise.all(ids.map((id) => readListed(context, id, deadline)));
  return read.flatMap((session) => (session === undefined || session === "damaged" ? [] : [session]));
}

async function readListed(
  context: ListContext,
  id: string,
  deadline: Deadline,
): Promise<ListedSession | undefined | "damaged"> {
  try {
    return await listedSession(context, id, deadline);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    context.onDamage(id, error);
    return "damaged";
  }
}

/** Whether a session belongs to the list. What the index says wrongly is told. */
function judged(
  { keys, onStale }: ListContext,
  query: ListQuery,
  after: ListPlace | undefined,
  { id, time }: Candidate,
  session: ListedSession | undefined,
): boolean {
  const set = setOf(keys.shardOf(id), query);
  if (session === undefined) {
    onStale({ id, session, set });
    return false;
  }
  const { summary } = session;
  const isIn = belongs(summary, query);
  if (query.order === "updated-desc" && time - summary.updatedAt > TOLERATED_MS)
    onStale({ id, session, set: undefined });
  if (!isIn && set !== undefined && !belongs(summary, { ...query, updatedSince: undefined }))
    onStale({ id, session, set });
  return isIn && isAfter(summary, query, after);
}

function isAfter(summary: SummaryRecord, { order }: ListQuery, after: ListPlace | undefined): boolean {
  return after === undefined || comparePlaces(listPlaceOf(summary, order), after, order) > 0;
}

interface Conditions extends Pick<ListQuery, "labels" | "parent"> {
  readonly updatedSince?: number | undefined;
}

function belongs(summary: SummaryRecord, { labels = {}, parent, updatedSince }: Conditions): boolean {
  if (parent !== undefined && summary.parent?.sessionId !== parent) return false;
  if (updatedSince !== undefined && summary.updatedAt < updatedSince) return false;
  return Object.entries(labels).every(
    ([name, value]) => Object.hasOwn(summary.labels, name) && summary.labels[name] === value,
  );
}

function withMetadata(summary: SummaryRecord, keys: readonly string[]): SummaryRecord {
  const kept = Object.entries(summary.metadata).filter(([key]) => keys.includes(key));
  return { ...summary, metadata: Object.fromEntries(kept) };
}
