/** A stored session, which may be damaged. Listings leave out damaged ones. */
export interface Suspect {
  /** Absent if the id cannot be read either. */
  readonly sessionId?: string;
  /** Its location: a folder, a row or a key. */
  readonly place: string;
}

/** A commit of a damaged session that could not be saved. */
export interface LostCommit {
  readonly revision: number;
  /** Absent if it cannot be read. */
  readonly commitId?: string;
  /** Why the commit is lost. */
  readonly reason: string;
}

/** What was saved of a damaged session. */
export interface Rescue {
  /** The number of messages in the new session. */
  readonly messages: number;
  /** The number of messages that could not be read; absent if unknown. */
  readonly lostMessages?: number;
  /** The incarnation of the damaged session. Its forks refer to it. */
  readonly incarnation: string;
  /** The highest revision that can be read, saved or not. */
  readonly reached: number;
  /** The number of commits after the damage that could be applied. */
  readonly appliedBeyond: number;
  /** The number of commits after the damage that could not be applied without the lost ones. */
  readonly leftOut: number;
  /** Every commit that is not in the new session; absent if unknown. */
  readonly lost?: readonly LostCommit[];
  /** The location of the damaged original. */
  readonly kept: string;
}

/** What repairs have quarantined. Nothing reads it. */
export interface Quarantined {
  readonly folder: string;
  /** The number of entries. A repair may leave two for one session: a copy of what it read, and the original. */
  readonly entries: number;
}

/** Functions on the data of a store. A store without a function lacks the method. */
export interface StoreTools {
  /** Every stored session, also damaged ones. */
  suspects?(): Iterable<Suspect> | AsyncIterable<Suspect>;
  /** Creates a new session from what is readable in a damaged one. The damaged one stays. */
  salvage?(sessionId: string, newId: string): Promise<Rescue>;
  /** Moves a damaged session into quarantine, which frees its id. Returns its new location. */
  quarantine?(sessionId: string): Promise<string>;
  /** Takes a damaged session out of the store, which frees its id. Returns a sentence that says what became of its data. */
  discard?(sessionId: string): Promise<string>;
  /** What `quarantine` and `salvage` have put away. */
  quarantined?(): Quarantined;
  /** Returns what is wrong with data that is derived from the sessions, such as an index, in sentences. Changes nothing. */
  problems?(): Promise<readonly string[]>;
  /** A sentence that says how to get a search index, if the store can have one and was opened without. */
  readonly searchHint?: string;
  /** Rebuilds data that is derived from the sessions, such as an index. Returns what was done and what could not be brought back, in sentences. */
  rebuild?(): Promise<readonly string[]>;
}
