import { parseStored } from "@sessions/protocol/backend";
import { Runs } from "../runs/runs.js";
import type { HotState } from "./hot-state.js";

/** Left out where there are none. */
type Lists = "labels" | "counters" | "queue" | "liveFrom" | "partials" | "archives" | "partCount";

/** What a store may keep elsewhere: what appends change. */
export type AppendState = Pick<HotState, "maxId" | "commits" | "turns" | "generated"> & {
  /** The first row that was never used: where a history that is still growing ends. */
  readonly nextRow: number;
};

type HotStateJson = Omit<HotState, Lists | "head" | "drafts" | keyof AppendState> & {
  readonly [Name in Lists]?: HotState[Name] | undefined;
} & {
  readonly head: readonly (readonly number[])[];
  readonly drafts?: readonly (readonly [row: number, extensions: number])[] | undefined;
};

export function hotStateText(hot: HotState): string {
  const { maxId, commits, turns, generated } = hot;
  return JSON.stringify({ ...hotStateJson(hot), head: hot.head.toJson(), maxId, commits, turns, generated });
}

/** Without what appends change. The last run of its messages has no end, so rows that are appended belong to it. */
export function openHotStateText(hot: HotState, nextRow: number): string {
  return JSON.stringify({ ...hotStateJson(hot), head: hot.head.toOpenJson(nextRow) });
}

function hotStateJson(hot: HotState): Omit<HotStateJson, "head"> {
  return {
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
    liveFrom: hot.liveFrom === 0 ? undefined : hot.liveFrom,
    partials: hot.partials.length === 0 ? undefined : hot.partials,
    drafts: hot.drafts.size === 0 ? undefined : [...hot.drafts],
    archives: hot.archives.length === 0 ? undefined : hot.archives,
    nextPart: hot.nextPart,
    partCount: hot.partCount === 0 ? undefined : hot.partCount,
  };
}

export function readHotState(text: string, location: string): HotState {
  const stored = parseStored<HotStateJson & Omit<AppendState, "nextRow">>(text, location);
  const { maxId, commits, turns, generated } = stored;
  return hotStateOf(stored, { nextRow: 0, maxId, commits, turns, generated });
}

/** Reads what `openHotStateText` has written. */
export function readOpenHotState(text: string, appended: AppendState, location: string): HotState {
  return hotStateOf(parseStored<HotStateJson>(text, location), appended);
}

function hotStateOf(stored: HotStateJson, appended: AppendState): HotState {
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
    head: Runs.fromJson(stored.head, appended.nextRow),
    liveFrom: stored.liveFrom ?? 0,
    partials: stored.partials ?? [],
    drafts: new Map(stored.drafts),
    maxId: appended.maxId,
    archives: stored.archives ?? [],
    nextPart: stored.nextPart,
    partCount: stored.partCount ?? 0,
    commits: appended.commits,
    turns: appended.turns,
    generated: appended.generated,
  };
}

function ifAny<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> | undefined {
  for (const _ in record) return record;
  return undefined;
}
