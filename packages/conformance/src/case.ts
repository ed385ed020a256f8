import type { SessionBackend, SessionStore } from "@sessions/protocol/backend";
import type { Place } from "./harness.js";

/** A guarantee of the contract. */
export type Guarantee = `G${number}`;

/** What a case works with. Everything that it opens is closed after it. */
export interface CaseContext {
  readonly place: Place;
  /** Opens another store on the same data. */
  open(): Promise<SessionStore>;
  /** Opens the backend alone, on the same data. */
  openBackend(): Promise<SessionBackend>;
  /** Another place, which is empty. It is removed after the case. */
  newPlace(): Promise<Place>;
  /** Opens a store in another place, which is empty. */
  openElsewhere(): Promise<SessionStore>;
  /** Where a case uses random values: printed when it fails. */
  readonly seed: number;
}

/** How long a case may take that does not say so itself. */
export const CASE_TIMEOUT_MS = 120_000;

/** One behaviour that a store must show. It throws when the store does not. */
export interface Case {
  /** The behaviour, as a sentence. */
  readonly name: string;
  /** What it proves; none where it only shows that a method does what its name says. */
  readonly guarantees: readonly Guarantee[];
  /** In place of `CASE_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
  /** Where the behaviour depends on what the store can do. The kit has a case for the declared absence as well. */
  readonly applies?: (store: SessionStore, place: Place) => boolean;
  readonly run: (store: SessionStore, context: CaseContext) => Promise<void>;
}

/** The cases of one operation or trait. */
export interface Section {
  readonly name: string;
  /** The methods of a store that this section is about. Together the sections cover them all. */
  readonly covers?: readonly (keyof SessionStore)[];
  /**
   * Runs its cases one after the other, with nothing beside them: they keep the processor busy, start processes, or stop
   * a server that all cases share. Other sections run side by side, because their cases mostly wait.
   */
  readonly runsAlone?: true;
  readonly cases: readonly Case[];
}
