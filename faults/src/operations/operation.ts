import type { SessionStore } from "@sessions/protocol";

/** What one call of an operation works with. */
export interface CallContext {
  readonly store: SessionStore;
  /** The same for a call that is sent again, another one for a new call. */
  readonly commitId: string;
  /** What `prepare` returned. */
  readonly prepared: string;
  /** Opens another store on the same data; it is closed afterwards. */
  open(): Promise<SessionStore>;
}

type Call = (context: CallContext) => Promise<unknown>;

/** Something that a caller may ask of a store while its system calls fail. */
export interface Operation {
  readonly name: string;
  /** What is there before: the sample sessions, or nothing at all. */
  readonly on?: "samples" | "nothing";
  /** Done before, without faults. Returns what the calls need to know of it. */
  readonly prepare?: (store: SessionStore) => Promise<string>;
  /** Made all at once. Every one is a change, unless the operation only reads. */
  readonly calls: readonly Call[];
  /** Its results are compared, and nothing changes. */
  readonly reads?: boolean;
  /** Whether the store tidies up behind every commit; faults may hit that too, up to the end of `close()`. */
  readonly tidies?: boolean;
  /** The session that another process may write to meanwhile. */
  readonly sharedSession?: string;
}
