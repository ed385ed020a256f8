import type { Place } from "../harness.js";

/**
 * A deliberately broken store. The section that it names must have a failing case; if it has none, the kit no longer
 * tests what it claims.
 */
export interface Control {
  /** The fault, in a few words. */
  readonly name: string;
  /** The section that must have a failing case. */
  readonly caughtBy: string;
  /** The fault makes a case wait for ever: a timeout counts as caught. */
  readonly hangs?: boolean;
  /** Whether the place has the hooks that the fault needs. */
  readonly applies?: (place: Place) => boolean;
  /** The same place with the fault. */
  readonly breakPlace: (place: Place) => Place;
}
