import type { JsonObject, LastTurn, LiveState, Parent, Ticket, TurnState } from "@sessions/protocol/backend";
import type { GeneratedCounts, MemoryCounts } from "../memory/memory-counts.js";
import type { Runs } from "../runs/runs.js";

/** What a live session keeps in one small record, which nearly every commit writes. */
export interface HotState {
  readonly incarnation: string;
  readonly title: string | undefined;
  readonly expiresIn: number | undefined;
  readonly renewOnUse: boolean | undefined;
  readonly labels: LiveState["labels"];
  readonly counters: LiveState["counters"];
  readonly parent: Parent | undefined;
  readonly turn: TurnState | undefined;
  readonly queue: readonly Ticket[];
  readonly lastTurn: LastTurn | undefined;
  readonly rewrittenAt: number;
  /** What a newer minor version wrote. */
  readonly unknownFields: JsonObject | undefined;
  /** The rows of its messages. */
  readonly head: Runs;
  readonly liveFrom: number;
  /** Ids of its live drafts. */
  readonly partials: readonly string[];
  /** The rows of its drafts, and how many extensions each has. */
  readonly drafts: ReadonlyMap<number, number>;
  /** No message that it holds has a greater id: see `isAfterMaxId`. */
  readonly maxId: string;
  /** The numbers of the parts that its archives are in. */
  readonly archives: readonly number[];
  readonly nextPart: number;
  /** How many parts there are: a missing one is noticed. */
  readonly partCount: number;
  readonly commits: MemoryCounts;
  readonly turns: MemoryCounts;
  readonly generated: GeneratedCounts;
}
