import type { ErrorCode, SessionStore } from "@sessions/protocol";
import type { NaiveMessage, NaiveSession } from "./naive-session.js";

/** What a call must lead to. */
export interface Expectation {
  /** Makes the call. */
  readonly call: (store: SessionStore) => Promise<unknown>;
  /** The refusal that it must end with; nothing has changed then. */
  readonly code?: ErrorCode;
  /** The session afterwards, given what the call returned; `undefined` if it is gone. */
  readonly next?: (returned: unknown) => NaiveSession | undefined;
  /** That it rewrites messages although all that were there are still there, or the other way round. */
  readonly rewrites?: boolean;
  /** The messages that the result must name. */
  readonly messages?: readonly NaiveMessage[];
  /** Another session that the call makes, as it must be then. */
  readonly made?: {
    readonly id: string;
    readonly session: NaiveSession;
    readonly revision: (tombstone: number) => number;
    /** When its messages were last rewritten, unless the id had another session before. */
    readonly rewrittenAt: number;
  };
}
