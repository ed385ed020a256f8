import type { JsonObject, LastTurn, Parent, Ticket, TurnState } from "@sessions/protocol/backend";
import type { Counted, CountedGenerated } from "./stored-memory.js";

/** What an append changes of it. */
export interface GrowingState {
  /** The messages: runs of rows. */
  readonly head: readonly (readonly number[])[];
  /** No message that it holds, now or in a snapshot, has a greater id. */
  readonly topId: string;
  readonly generated: CountedGenerated;
}

/** What a session's row holds as JSON: all that is small, and so can be written with every commit. */
export interface HotState extends GrowingState {
  readonly incarnation: string;
  readonly title?: string | undefined;
  readonly expiresIn?: number | undefined;
  readonly renewOnUse?: boolean | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly counters: Readonly<Record<string, number>>;
  readonly parent?: Parent | undefined;
  readonly turn?: TurnState | undefined;
  readonly queue: readonly Ticket[];
  readonly lastTurn?: LastTurn | undefined;
  /** The last commit that rewrote messages. Rows of earlier versions do not say. */
  readonly rewrittenAt?: number | undefined;
  readonly liveFrom: number;
  readonly partials: readonly string[];
  /** The numbers of the archives' parts. */
  readonly archives: readonly number[];
  /** The number of the next part. */
  readonly nextPart: number;
  /** How many parts there are: one that is gone is noticed. Absent where it was written before this was counted. */
  readonly partCount?: number | undefined;
  /** The rows of messages that are still being written, and how many fragments each has. */
  readonly drafts?: readonly (readonly [row: number, fragments: number])[] | undefined;
  readonly commits: Counted;
  readonly turns: Counted;
  /** What a newer minor version wrote. */
  readonly unknownFields?: JsonObject | undefined;
}

/** What is left of a session that has ended. */
export interface EndedState {
  readonly commits: Counted;
  readonly generated: CountedGenerated;
}

/** A snapshot's part. */
export interface SnapshotPart {
  /** What a newer minor version wrote. */
  readonly unknownFields?: JsonObject | undefined;
  readonly name: string;
  readonly createdAt: number;
  readonly revision: number;
  readonly messageCount: number;
  readonly head: readonly (readonly number[])[];
  readonly liveFrom: number;
  readonly partials: readonly string[];
  readonly archives: readonly number[];
}
