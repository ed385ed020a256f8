import {
  extensionsIn,
  type LiveState,
  type Remembered,
  type Snapshot,
  TOMBSTONE_MS,
} from "@sessions/protocol/backend";
import { type MemoryChanges, memoryChangesOf, type Run, Runs, runDifference } from "@sessions/row-engine";
import { checkedJson } from "./checked-text.js";
import { expiryText } from "./expiry-text.js";
import { FORMAT_VERSION } from "./format-version.js";
import { HistoryWriter } from "./history-writer.js";
import { memoryPatch } from "./memory-patch.js";
import type { Content, Head } from "./moment.js";
import type { Change, MemoryText, Pair, Patch, Written } from "./patch.js";
import { RowTable } from "./row-table.js";
import type { StagedMessages, StagedPlace } from "./staged.js";
import type { Garbage, Parts, SmallState, SnapshotPart } from "./stored-state.js";

/** Makes the patch of a session that lives. Throws `Missing` for what has to be read first. */
export class LifePatch {
  readonly #change: Change;
  readonly #after: LiveState;
  /** What is stored of this life of it. */
  readonly #before: LiveState | undefined;
  readonly #content: Content | undefined;
  readonly #turns: MemoryChanges<Remembered>;
  readonly #writer: HistoryWriter;
  readonly #staged: StagedMessages | undefined;
  readonly #heldBefore: readonly Run[];

  constructor(change: Change, after: LiveState) {
    const { moment, ops, staged, at } = change;
    const { state, present } = moment;
    this.#change = change;
    this.#after = after;
    this.#turns = memoryChangesOf(after.finishedTurns);
    const goesOn =
      state?.status === "live" && state.incarnation === after.incarnation && this.#turns.source !== undefined;
    this.#before = goesOn ? state : undefined;
    this.#content = goesOn ? present?.content : undefined;
    const shared = this.#content?.parts.snapshots.flatMap(({ runs }) => Runs.fromJson(runs).list) ?? [];
    this.#staged = usable(staged, this.#content);
    this.#heldBefore = goesOn ? [...moment.runs.list, ...shared] : [];
    this.#writer = new HistoryWriter({
      nextRow: firstFreeRow(present?.head.nextRow ?? 0, this.#staged?.place),
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
    const life = isNewLife ? nonce() : (moment.present?.head.life ?? "");
    const { generated, ...memory } = memoryPatch(moment, after);
    // As long as a session does not expire it keeps these itself: so plain appends write one hash.
    const isOwn = after.expiresAt === undefined;
    return {
      ...memory,
      isLive: true,
      revision: after.revision,
      at,
      isTold: moment.state?.status !== "live" || moment.state.revision !== after.revision,
      isNewLife,
      stagedKey: staged?.place.key,
      fields: [
        ...this.#fields(small, parts, version, partsVersion),
        ...(isNewLife ? [["l", life] as const] : []),
        ...(isOwn ? generated : []),
      ],
      dropped: staged?.place.reserved === undefined ? [] : [staged.place.reserved],
      lines: this.#writer.grown.flatMap(({ row, lines }) => lines.map((line): Pair => [`m${row}`, line])),
      messageRows: this.#writer.written
        .filter(({ isRewritten }) => !isRewritten)
        .map(({ row, stored }) => [stored.message.id, String(row)] as const),
      windowFields: [...this.#windowFields(), ...(isOwn ? [] : generated)],
      turns: this.#turns.added.map((turn): MemoryText => [turn.id, String(turn.at), JSON.stringify(turn)]),
      ...this.#expiries(isNewLife),
      turnHorizon: this.#turns.horizon,
      expiresAt: after.expiresAt,
      remembered: {
        present: {
          head: this.#head(life, version, partsVersion),
          content: { small, parts, table: this.#content?.table ?? new RowTable() },
        },
        rows: this.#rows(),
      },
      garbage,
    };
  }

  #head(life: string, version: string, partsVersion: string): Head {
    const { revision, incarnation, expiresAt, updatedAt } = this.#after;
    return {
      revision,
      incarnation,
      life,
      expiresAt,
      nextRow: this.#writer.nextRow,
      updatedAt,
      lease: this.#change.lease,
      version,
      partsVersion,
      turnHorizon: this.#turns.horizon,
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

  #snapshotPart({ history, ...info }: Snapshot): SnapshotPart {
    const runs = this.#writer.placeSnapshot(history).toJson();
    const { liveFrom, partials, archives } = history;
    return { ...info, runs, liveFrom, partials, archives };
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
    const { createdAt, title, labels, counters, parent, turn, queue, lastTurn, rewrittenAt, history } =
      this.#after;
    const { expiresIn, renewOnUse } = this.#after;
    return {
      createdAt,
      title,
      expiresIn,
      renewOnUse,
      labels,
      counters,
      parent,
      turn,
      queue,
      lastTurn,
      rewrittenAt,
      runs: runs.toOpenJson(this.#writer.nextRow),
      liveFrom: history.liveFrom,
      partials: history.partials,
      ...(garbage.length === 0 ? {} : { garbage }),
      unknownFields: this.#after.unknownFields,
    };
  }

  #fields(small: SmallState, parts: Parts, version: string, partsVersion: string): readonly Pair[] {
    const { revision, incarnation, expiresAt, turn, updatedAt } = this.#after;
    const fields: Pair[] = [
      ["v", String(FORMAT_VERSION)],
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
    // Every commit moves the end of such a session, and `append.lua` moves none: it leaves those to `commit.lua`.
    if (this.#after.renewOnUse !== this.#before?.renewOnUse)
      fields.push(["w", this.#after.renewOnUse === true ? "1" : ""]);
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

/** Numbers of rows go on also where all of a session is written anew (`adopt`): rows may have been written ahead for it. */
function firstFreeRow(nextRow: number, staged: StagedPlace | undefined): number {
  return staged === undefined ? nextRow : Math.max(nextRow, staged.first + staged.count);
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
