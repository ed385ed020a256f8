import type { MemoryDocument } from "../../session/session-document.js";
import type { Retention } from "./retention.js";

/** An entry of a memory. */
export interface Remembered {
  readonly id: string;
  readonly at: number;
}

/** A bounded, immutable memory of the newest entries, by id. */
export interface Memory<Entry extends Remembered> {
  /** The time of the newest forgotten entry. Whether something of that age or older was here can no longer be told. */
  readonly horizon: number;
  get(id: string): Entry | undefined;
  /** Adds `entry`, whose id is new. Entries beyond `retention` may be dropped. */
  add(entry: Entry, retention: Retention): Memory<Entry>;
  toDocument(): MemoryDocument<Entry>;
}
