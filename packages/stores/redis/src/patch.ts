import {
  type LiveState,
  type MemoryLayers,
  memoryLayersOf,
  type Operation,
  type Remembered,
  type SessionState,
  type Snapshot,
  TOMBSTONE_MS,
  type Tombstone,
} from "@sessions/protocol";
import { checkedJson } from "./checked-text.js";
import { extensionsIn } from "./extensions.js";
import { FORMAT_VERSION } from "./format-version.js";
import { HistoryWriter } from "./history-writer.js";
import { commitField, generatedText, givenText } from "./memory-source.js";
import type { Content, Moment } from "./moment.js";
import { RowTable } from "./row-table.js";
import type { StoredMessage } from "./row-text.js";
import { runDifference } from "./run-difference.js";
import { type Run, Runs } from "./runs.js";
import type { StagedMessages } from "./staged.js";
import type { Garbage, Parts, SmallState, SnapshotPart } from "./stored-state.js";

type Pair = readonly [string, string];
type Memory = readonly [id: string, at: string, text: string];

/** The last time that Redis takes for an expiry, and JavaScript for a date. */
const END_OF_TIME = 8.64e15;

/** A session as it is once it is written. */
export interface Written {
  readonly incarnation: string;
  readonly version: string;
  readonly partsVersion: string;
  readonly content: Content;
  readonly rows: readonly { readonly row: number; readonly stored: StoredMessage; readonly size: number }[];
}

/** What a commit writes: everything that the script needs. */
export interface Patch {
  readonly isLive: boolean;
  readonly revision: number;
  readonly at: number;
  readonly isTold: boolean;
  /** Nothing that is there stays. */
  readonly isNewLife: boolean;
  readonly stagedKey: string | undefined;
  readonly fields: readonly Pair[];
  readonly dropped: readonly string[];
  readonly lines: readonly Pair[];
  readonly messageRows: readonly (readonly [id: string, row: string])[];
  readonly windowFields: readonly Pair[];
  readonly windowDropped: readonly string[];
  readonly given: readonly Memory[];
  readonly generated: readonly Memory[];
  readonly turns: readonly Memory[];
  readonly turnHorizon: number;
  readonly expiresAt: number | undefined;
  /** Set where all given commits are written anew. */
  readonly givenHorizon: number | undefined;
  /** When the session and its window expire: `keep`, "" for never. */
  readonly expiry: string;
  readonly windowExpiry: string;
  /** How the session is in memory once it is written. */
  readonly remembered: Written | undefined;
  /** Rows that nobody holds now. */
  readonly garbage: readonly Garbage[];
}

/** What a patch is made of. */
export interface Change {
  readonly moment: Moment;
  readonly after: SessionState;
  /** What was applied. */
  readonly ops: readonly Operation[];
  readonly staged: StagedMessages | undefined;
  readonly at: number;
  /** Until when the index need not be told of changes. */
  readonly lease: number;
  /** A text that was never used before. */
  readonly nonce: () => string;
}

/** What has to be written so that a session is `after`. Throws `Missing` for what has to be read first. */
export function patchOf(change: Change): Patch {
  const { after } = change;
  return after.status === "live" ? new LifePatch(change, after).make() : endPatch(change, after);
}

function endPatch({ moment, after, at }: Change, end: Tombstone): Patch {
  return {
    ...memories(moment, after),
    isLive: false,
    revision: end.revision,
    at,
    isTold: true,
    isNewLife: true,
    stagedKey: undefined,
    fields: [],
    dropped: [],
    lines: [],
    messageRows: [],
    windowFields: [
      ["r", String(end.revision)],
      ["s", "deleted"],
      ["d", String(end.deletedAt)],
      ["e", ""],
    ],
    turns: [],
    turnHorizon: 0,
    expiresAt: undefined,
    expiry: "keep",
    windowExpiry: expiryText(end.deletedAt + TOMBSTONE_MS),
    remembered: undefined,
    garbage: [],
  };
}

type MemoryPart = Pick<Patch, "given" | "generated" | "givenHorizon" | "windowDropped">;

function memories({ lookups, window }: Moment, { commits }: SessionState): MemoryPart {
  const given = memoryLayersOf(commits.given);
  const generated = memoryLayersOf(commits.generated).added.map(
    (memory): Memory => [memory.id, String(memory.at), generatedText(memory)],
  );
  const added = given.added.map((memory): Memory => [memory.id, String(memory.at), givenText(memory)]);
  if (given.source !== undefined)
    return { given: added, generated, givenHorizon: undefined, windowDropped: [] };
  const kept = new Set(given.added.map(({ id }) => id));
  const old = window === undefined ? [] : (lookups.given ?? []);
  const windowDropped = old.filter(({ id }) => !kept.has(id)).map(({ id }) => commitField(id));
  return { given: added, generated, givenHorizon: given.horizon, windowDropped };
}

/** The patch of a session that lives. */
class LifePatch {
  readonly #change: Change;
  readonly #after: LiveState;
  /** What is stored of this life of it. */
  readonly #before: LiveState | undefined;
  readonly #content: Content | undefined;
  readonly #turns: MemoryLayers<Remembered>;
  readonly #writer: HistoryWriter;
  readonly #staged: StagedMessages | undefined;
  readonly #heldBefore: readonly Run[];

  constructor(change: Change, after: LiveState) {
    const { moment, ops, staged, at } = change;
    const { state, present } = moment;
    this.#change = change;
    this.#after = after;
    this.#turns = memoryLayersOf(after.finishedTurns);
    const goesOn =
      state?.status === "live" && state.incarnation === after.incarnation && this.#turns.source !== undefined;
    this.#before = goesOn ? state : undefined;
    this.#content = goesOn ? present?.content : undefined;
    const shared = this.#content?.parts.snapshots.flatMap(({ runs }) => Runs.fromJson(runs).list) ?? [];
    this.#staged = usable(staged, this.#content);
    this.#heldBefore = goesOn ? [...moment.runs.list, ...shared] : [];
    this.#writer = new HistoryWriter({
      nextRow: goesOn ? (present?.head.nextRow ?? 0) : (this.#staged?.place.count ?? 0),
      table: this.#content?.table,
      version: moment.version,
      held: this.#heldBefore,
      shared,
      extensions: extensionsIn(ops),
      staged: this.#staged,
      at,
    });
  }

  make(): Patch {
    const { moment, at, nonce } = this.#change;
    const staged = this.#staged;
    const after = this.#after;
    const snapshots = this.#snapshots();
    const runs = this.#runs();
    const parts = this.#parts(snapshots);
    const garbage = this.#garbage(runs, parts);
    const small = this.#small(runs, garbage);
    const version = nonce();
    const partsVersion = parts === this.#content?.parts ? (moment.present?.head.partsVersion ?? "") : nonce();
    const isNewLife = this.#before === undefined;
    return {
      ...memories(moment, after),
      isLive: true,
      revision: after.revision,
      at,
      isTold: moment.state?.status !== "live" || moment.state.revision !== after.revision,
      isNewLife,
      stagedKey: staged?.place.key,
      fields: this.#fields(small, parts, version, partsVersion),
      dropped: staged?.place.reserved === undefined ? [] : [staged.place.reserved],
      lines: this.#writer.grown.flatMap(({ row, lines }) => lines.map((line): Pair => [`m${row}`, line])),
      messageRows: this.#writer.written
        .filter(({ isRewritten }) => !isRewritten)
        .map(({ row, stored }) => [stored.message.id, String(row)] as const),
      windowFields: this.#windowFields(),
      turns: this.#turns.added.map((turn): Memory => [turn.id, String(turn.at), JSON.stringify(turn)]),
      ...this.#expiries(isNewLife),
      turnHorizon: this.#turns.horizon,
      expiresAt: after.expiresAt,
      remembered: {
        incarnation: after.incarnation,
        version,
        partsVersion,
        content: { small, parts, table: this.#content?.table ?? new RowTable() },
        rows: this.#rows(),
      },
      garbage,
    };
  }

  #rows(): Written["rows"] {
    const { written, grown } = this.#writer;
    return [
      ...written.map(({ row, stored, text }) => ({ row, stored, size: text.length })),
      ...grown.map(({ row, stored }) => ({ row, stored, size: 0 })),
    ];
  }

  #snapshots(): readonly SnapshotPart[] {
    const { snapshots } = this.#after;
    const before = this.#before?.snapshots ?? [];
    const stored = this.#content?.parts.snapshots ?? [];
    if (snapshots === before) return stored;
    return snapshots.map((snapshot) => stored[before.indexOf(snapshot)] ?? this.#snapshotPart(snapshot));
  }

  #snapshotPart({ history, name, createdAt, revision, messageCount }: Snapshot): SnapshotPart {
    const runs = this.#writer.placeSnapshot(history).toJson();
    const { liveFrom, partials, archives } = history;
    return { name, createdAt, revision, messageCount, runs, liveFrom, partials, archives };
  }

  #runs(): Runs {
    const { history } = this.#after;
    return this.#before?.history.messages === history.messages
      ? this.#change.moment.runs
      : this.#writer.place(history);
  }

  #parts(snapshots: readonly SnapshotPart[]): Parts {
    const { metadata, history } = this.#after;
    const before = this.#before;
    const stored = this.#content?.parts;
    const isSame =
      before?.metadata === metadata &&
      before.history.archives === history.archives &&
      stored?.snapshots === snapshots;
    return isSame && stored !== undefined ? stored : { metadata, archives: history.archives, snapshots };
  }

  #garbage(runs: Runs, parts: Parts): readonly Garbage[] {
    const staged = this.#staged;
    const reserved = staged?.place.reserved;
    const kept = [...runs.list, ...parts.snapshots.flatMap((snapshot) => Runs.fromJson(snapshot.runs).list)];
    const before = (this.#content?.small.garbage ?? []).filter(
      (one) => one.reserved === undefined || one.reserved !== reserved,
    );
    const ahead =
      staged === undefined ? [] : [{ from: staged.place.first, to: staged.place.first + staged.place.count }];
    return [...before, ...runDifference([...this.#heldBefore, ...ahead], kept)];
  }

  #small(runs: Runs, garbage: readonly Garbage[]): SmallState {
    const { createdAt, title, labels, counters, parent, turn, queue, lastTurn, history } = this.#after;
    return {
      createdAt,
      title,
      labels,
      counters,
      parent,
      turn,
      queue,
      lastTurn,
      runs: runs.toOpenJson(this.#writer.nextRow),
      liveFrom: history.liveFrom,
      partials: history.partials,
      ...(garbage.length === 0 ? {} : { garbage }),
    };
  }

  #fields(small: SmallState, parts: Parts, version: string, partsVersion: string): readonly Pair[] {
    const { revision, incarnation, expiresAt, turn, updatedAt } = this.#after;
    const fields: Pair[] = [
      ["r", String(revision)],
      ["g", incarnation],
      ["e", expiresAt === undefined ? "" : String(expiresAt)],
      ["k", turn?.token ?? ""],
      ["n", String(this.#writer.nextRow)],
      ["u", String(updatedAt)],
      ["x", String(this.#change.lease)],
      ["o", version],
      ["z", checkedJson(small)],
    ];
    if (parts !== this.#content?.parts) fields.push(["p", partsVersion], ["y", checkedJson(parts)]);
    if (this.#before === undefined)
      fields.push(["ta", "0"], ["tb", "0"], ["th", String(this.#turns.horizon)]);
    for (const { row, text } of this.#writer.written) fields.push([`m${row}`, text]);
    return fields;
  }

  #windowFields(): readonly Pair[] {
    const { revision, incarnation, expiresAt } = this.#after;
    const changing: Pair[] = [["r", String(revision)]];
    if (this.#before !== undefined && this.#before.expiresAt === expiresAt) return changing;
    return [
      ...changing,
      ["v", String(FORMAT_VERSION)],
      ["g", incarnation],
      ["s", "live"],
      ["d", ""],
      ["e", expiresAt === undefined ? "" : String(expiresAt)],
    ];
  }

  #expiries(isNewLife: boolean): Pick<Patch, "expiry" | "windowExpiry"> {
    const { expiresAt } = this.#after;
    if (!isNewLife && this.#before?.expiresAt === expiresAt) return { expiry: "keep", windowExpiry: "keep" };
    if (expiresAt === undefined) return { expiry: "", windowExpiry: "" };
    return { expiry: expiryText(expiresAt), windowExpiry: expiryText(expiresAt + TOMBSTONE_MS) };
  }
}

/** Rows that were written ahead, if the session is still such that they can be used. */
function usable(
  staged: StagedMessages | undefined,
  content: Content | undefined,
): StagedMessages | undefined {
  const { reserved } = staged?.place ?? {};
  if (reserved === undefined) return content === undefined ? staged : undefined;
  return content?.small.garbage?.some((garbage) => garbage.reserved === reserved) === true
    ? staged
    : undefined;
}

/** Redis counts in whole milliseconds; callers need not. */
function expiryText(time: number): string {
  return time >= END_OF_TIME ? "" : String(Math.max(1, Math.ceil(time)));
}
