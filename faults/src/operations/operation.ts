import type { SessionStore } from "@sessions/protocol";
import type { CallContext } from "./call-context.js";

type Call = (context: CallContext) => Promise<unknown>;

/** Calls of a store that are made while one of its system calls fails. */
export interface Operation {
  readonly name: string;
  /** The data at the start: the sample sessions or an empty folder. */
  readonly on?: "samples" | "nothing";
  /** Runs before the calls, without faults. The calls get its result. */
  readonly prepare?: (store: SessionStore) => Promise<string>;
  /** Made concurrently. Each one is a change, unless the operation only reads. */
  readonly calls: readonly Call[];
  /** Whether it only reads. Then its results are compared, and nothing may change. */
  readonly reads?: boolean;
  /** Whether the store does its upkeep after every commit. Faults hit that too, until `close()` has settled. */
  readonly runsUpkeep?: boolean;
  /** The session that another process may write to in the middle of the calls. */
  readonly sharedSession?: string;
}
