import type { Place } from "../harness.js";

/**
 * A deliberately broken store: the kit must reject it. Each names the section that has to notice, so that a kit
 * which stopped looking is itself noticed.
 */
export interface Control {
  /** What is broken, in a few words. */
  readonly name: string;
  /** The section that must have a failing case. */
  readonly caughtBy: string;
  /** Something is waited for that never comes: a case that does not end in time counts as caught. */
  readonly hangs?: boolean;
  /** What the place must offer for the fault to show. */
  readonly applies?: (place: Place) => boolean;
  /** The same place with the fault built in. */
  readonly breakPlace: (place: Place) => Place;
}
