import type { SessionStore } from "@sessions/protocol";
import type { Measurement } from "../measurement.js";

/** A store that is measured. Another one joins with a file here, and a line in `stores.ts`. */
export interface StoreUnderTest {
  readonly name: string;
  /** Opens the data of a folder with the store's own defaults: again and again, also from other processes. */
  open(folder: string): Promise<SessionStore>;
  /** Opens the same data to prepare a measurement, without waiting for the disk where that can be had. */
  openToPrepare(folder: string): Promise<SessionStore>;
  /** What is measured of it. */
  measurements(): readonly Measurement[];
}
