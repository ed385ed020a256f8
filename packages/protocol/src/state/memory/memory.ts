import type { MemoryDocument } from "../../session/session-document.js";
import type { Retention } from "./retention.js";

/** Something that is remembered by its id. */
export interface Remembered {
  readonly id: string;
  readonly at: number;
}

/** A bounded, immutable memory of the newest entries, by id. */
export interface Memory<Entry extends Remembered> {
  /** The time of the newest forgotten entry: what is as old as that can no longer be judged. */
  readonly horizon: number;
  get(id: string): Entry | undefined;
  /** Remembers `entry`, whose id it does not hold. What `retention` lets go may be forgotten. */
  add(entry: Entry, retention: Retention): Memory<Entry>;
  toDocument(): MemoryDocument<Entry>;
}
