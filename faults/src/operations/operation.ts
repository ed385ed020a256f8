import type { SessionStore } from "@sessions/protocol";

/** What one call of an operation works with. */
export interface CallContext {
  readonly store: SessionStore;
  /** The same id when a call is sent again, another id for a new call. */
  readonly commitId: string;
  /** What `prepare` returned. */
  readonly prepared: string;
  /** Opens another store on the same data; it is closed afterwards. */
  open(): Promise<SessionStore>;
}

type Call = (context: CallContext) => Promise<unknown>;

/** What is asked of a store while one of its system calls fails. */
export interface Operation {
  readonly name: string;
  /** The data at the start: the sample sessions or nothing. */
  readonly on?: "samples" | "nothing";
  /** Runs before the calls, without faults. Its result is handed to the calls. */
  readonly prepare?: (store: SessionStore) => Promise<string>;
  /** Made concurrently. Each one is a change, unless the operation only reads. */
  readonly calls: readonly Call[];
  /** Whether it only reads. Then its results are compared, and nothing may change. */
  readonly reads?: boolean;
  /** Whether the store does its upkeep after every commit. Faults may hit that too, until `close()` has settled. */
  readonly tidies?: boolean;
  /** The session that another process may write to in the middle of the calls. */
  readonly sharedSession?: string;
}
