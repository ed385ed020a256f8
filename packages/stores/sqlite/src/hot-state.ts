import type { LastTurn, Parent, Ticket, TurnState } from "@sessions/protocol";
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
  readonly labels: Readonly<Record<string, string>>;
  readonly counters: Readonly<Record<string, number>>;
  readonly parent?: Parent | undefined;
  readonly turn?: TurnState | undefined;
  readonly queue: readonly Ticket[];
  readonly lastTurn?: LastTurn | undefined;
  readonly liveFrom: number;
  readonly partials: readonly string[];
  /** The numbers of the archives' parts. */
  readonly archives: readonly number[];
  /** The number of the next part. */
  readonly nextPart: number;
  readonly commits: Counted;
  readonly turns: Counted;
}

/** What is left of a session that has ended. */
export interface EndedState {
  readonly commits: Counted;
  readonly generated: CountedGenerated;
}

/** A snapshot's part. */
export interface SnapshotPart {
  readonly name: string;
  readonly createdAt: number;
  readonly revision: number;
  readonly messageCount: number;
  readonly head: readonly (readonly number[])[];
  readonly liveFrom: number;
  readonly partials: readonly string[];
  readonly archives: readonly number[];
}
