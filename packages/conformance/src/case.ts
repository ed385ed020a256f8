import type { SessionBackend, SessionStore } from "@sessions/protocol/backend";
import type { Place } from "./harness.js";

/** A guarantee of the contract. */
export type Guarantee = `G${number}`;

/** What a case may use. Everything that it opens is closed after it. */
export interface CaseContext {
  readonly place: Place;
  /** Opens another store on the same data. */
  open(): Promise<SessionStore>;
  /** Opens the backend alone, on the same data. */
  openBackend(): Promise<SessionBackend>;
  /** Another, empty place. It is removed after the case. */
  newPlace(): Promise<Place>;
  /** Opens a store in another, empty place. */
  openElsewhere(): Promise<SessionStore>;
  /** For random values. The seed is in the test's title. */
  readonly seed: number;
}

/** The timeout of a case without `timeoutMs`. */
export const CASE_TIMEOUT_MS = 120_000;

/** One behaviour that a store must show. It throws when the store does not. */
export interface Case {
  /** The behaviour, as a whole sentence. */
  readonly name: string;
  /** The guarantees that it proves; none if it only shows what a method does. */
  readonly guarantees: readonly Guarantee[];
  /** Instead of `CASE_TIMEOUT_MS`. */
  readonly timeoutMs?: number;
  /** Whether the store has what the case needs. Another case checks a store that declares it has not. */
  readonly applies?: (store: SessionStore, place: Place) => boolean;
  readonly run: (store: SessionStore, context: CaseContext) => Promise<void>;
}

/** The cases of one operation or trait. */
export interface Section {
  readonly name: string;
  /** The methods of a store that this section is about. Together the sections cover them all. */
  readonly covers?: readonly (keyof SessionStore)[];
  /**
   * Runs its cases one after the other and no others meanwhile: they keep the processor busy, start processes, or stop a
   * server that all cases share. The cases of other sections run concurrently, because they mostly wait.
   */
  readonly runsAlone?: true;
  readonly cases: readonly Case[];
}
