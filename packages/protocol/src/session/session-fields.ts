import type { JsonObject } from "../json/json.js";

/** Where a fork comes from. */
export interface Parent {
  readonly sessionId: string;
  /** The last message that was taken over; absent when the fork took them all. */
  readonly messageId?: string;
  /** Which life of that session id: a deleted and recreated parent is another parent. */
  readonly incarnation: string;
}

/** What describes a session, wherever it is described. */
export interface SessionFields {
  /** Names this life of the session id; a deleted and recreated session has another. */
  readonly incarnation: string;
  /** Raised by exactly one by every accepted commit. */
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When the session ends, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** The length that the end was given as, in milliseconds; absent where it was given as a time. */
  readonly expiresIn?: number;
  /** Every commit and every renewal of a turn moves the end to `expiresIn` after its own time. Reads do not. */
  readonly renewOnUse?: boolean;
  readonly title?: string;
  /** Indexed. Well-known: `agent`, `user`, `gateway`, `gatewaySession`. */
  readonly labels: Readonly<Record<string, string>>;
  /** Not indexed; one JSON value per key. */
  readonly metadata: JsonObject;
  /** Integers: `inputTokens`, `outputTokens`, `turns`… */
  readonly counters: Readonly<Record<string, number>>;
  readonly parent?: Parent;
}
