import { parseStored } from "@sessions/protocol/backend";
import { Runs } from "../runs/runs.js";
import type { HotState } from "./hot-state.js";

/** Left out where there are none. */
type Lists = "labels" | "counters" | "queue" | "liveFrom" | "partials" | "archives" | "partCount";

type HotStateJson = Omit<HotState, Lists | "head" | "drafts"> & {
  readonly [Name in Lists]?: HotState[Name] | undefined;
} & {
  readonly head: readonly (readonly number[])[];
  readonly drafts?: readonly (readonly [row: number, extensions: number])[] | undefined;
};

export function hotStateText(hot: HotState): string {
  const stored: HotStateJson = {
    incarnation: hot.incarnation,
    title: hot.title,
    expiresIn: hot.expiresIn,
    renewOnUse: hot.renewOnUse,
    labels: ifAny(hot.labels),
    counters: ifAny(hot.counters),
    parent: hot.parent,
    turn: hot.turn,
    queue: hot.queue.length === 0 ? undefined : hot.queue,
    lastTurn: hot.lastTurn,
    rewrittenAt: hot.rewrittenAt,
    unknownFields: hot.unknownFields,
    head: hot.head.toJson(),
    liveFrom: hot.liveFrom === 0 ? undefined : hot.liveFrom,
    partials: hot.partials.length === 0 ? undefined : hot.partials,
    drafts: hot.drafts.size === 0 ? undefined : [...hot.drafts],
    maxId: hot.maxId,
    archives: hot.archives.length === 0 ? undefined : hot.archives,
    nextPart: hot.nextPart,
    partCount: hot.partCount === 0 ? undefined : hot.partCount,
    commits: hot.commits,
    turns: hot.turns,
    generated: hot.generated,
  };
  return JSON.stringify(stored);
}

export function readHotState(text: string, location: string): HotState {
  const stored = parseStored<HotStateJson>(text, location);
  return {
    incarnation: stored.incarnation,
    title: stored.title,
    expiresIn: stored.expiresIn,
    renewOnUse: stored.renewOnUse,
    labels: stored.labels ?? {},
    counters: stored.counters ?? {},
    parent: stored.parent,
    turn: stored.turn,
    queue: stored.queue ?? [],
    lastTurn: stored.lastTurn,
    rewrittenAt: stored.rewrittenAt,
    unknownFields: stored.unknownFields,
    head: Runs.fromJson(stored.head),
    liveFrom: stored.liveFrom ?? 0,
    partials: stored.partials ?? [],
    drafts: new Map(stored.drafts),
    maxId: stored.maxId,
    archives: stored.archives ?? [],
    nextPart: stored.nextPart,
    partCount: stored.partCount ?? 0,
    commits: stored.commits,
    turns: stored.turns,
    generated: stored.generated,
  };
}

function ifAny<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> | undefined {
  for (const _ in record) return record;
  return undefined;
}
