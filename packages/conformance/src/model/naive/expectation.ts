import type { ErrorCode, SessionStore } from "@sessions/protocol";
import type { NaiveMessage, NaiveSession } from "./naive-session.js";

/** A call and its expected result. */
export interface Expectation {
  /** Makes the call. */
  readonly call: (store: SessionStore) => Promise<unknown>;
  /** The error code that it must fail with, without any change. */
  readonly code?: ErrorCode;
  /** The session afterwards, computed from the result of the call; `undefined` if it is deleted. */
  readonly next?: (returned: unknown) => NaiveSession | undefined;
  /** Whether it counts as a rewrite of messages, if that does not follow from comparing the messages. */
  readonly rewrites?: boolean;
  /** The messages that the result must have. */
  readonly messages?: readonly NaiveMessage[];
  /** Another session that the call creates. */
  readonly created?: {
    readonly id: string;
    readonly session: NaiveSession;
    readonly revision: (tombstone: number) => number;
    /** The revision of its last rewrite, unless the id had another session before. */
    readonly rewrittenAt: number;
  };
}
