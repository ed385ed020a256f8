/** A session that there may be, also one that lists leave out because it is damaged. */
export interface Suspect {
  /** Absent where not even that can be read. */
  readonly sessionId?: string;
  /** A folder, a row, a key. */
  readonly place: string;
}

/** A commit of a damaged session that could not be saved. */
export interface LostCommit {
  readonly revision: number;
  /** Absent where it cannot be read. */
  readonly commitId?: string;
  /** Why it is lost. */
  readonly reason: string;
}

/** What could be saved of a damaged session. */
export interface Rescue {
  /** How many messages there are in the new session. */
  readonly messages: number;
  /** How many messages could not be read; absent where nobody can tell. */
  readonly lostMessages?: number;
  /** Which life of its id the damaged session was; forks of it name this one. */
  readonly incarnation: string;
  /** The highest revision that can be read of it, saved or not. */
  readonly reached: number;
  /** Commits behind the damage that were applied all the same. */
  readonly appliedBeyond: number;
  /** Commits behind the damage that made no sense without what is lost. */
  readonly leftOut: number;
  /** Every commit that is not in the new session; absent where nobody can tell. */
  readonly lost?: readonly LostCommit[];
  /** Where all that there is of the damaged session is kept. */
  readonly kept: string;
}

/** What repairs have put away. Nothing reads it. */
export interface Quarantined {
  readonly folder: string;
  /** How many there are. A repair may leave two of one session: a copy of what it read, and what it moved away. */
  readonly entries: number;
}

/** What can be done with the data of some stores. A store that cannot do a thing has no such method. */
export interface StoreTools {
  /** Every session that there may be. */
  suspects?(): Iterable<Suspect> | AsyncIterable<Suspect>;
  /** Makes a new session of everything in a damaged one that still counts. The damaged one stays. */
  salvage?(sessionId: string, newId: string): Promise<Rescue>;
  /** Moves a damaged session out of the way, so that its id is free again. Answers where it is now. */
  quarantine?(sessionId: string): Promise<string>;
  /** What lies where `quarantine` and `salvage` have put it. */
  quarantined?(): Quarantined;
  /** What is wrong with what was derived from the sessions, such as an index, in sentences. Changes nothing. */
  problems?(): Promise<readonly string[]>;
  /** Makes what was derived from the sessions anew, such as an index. Answers what was done, and what could not be brought back, in sentences. */
  rebuild?(): Promise<readonly string[]>;
}
