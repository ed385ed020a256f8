import type { JsonObject } from "../json/json.js";

/** The session that a fork was made from. */
export interface Parent {
  readonly sessionId: string;
  /** The last message that the fork copied; absent if it copied all. */
  readonly messageId?: string;
  /** The parent's incarnation: a session that was deleted and created again is another parent. */
  readonly incarnation: string;
}

/** The fields that every description of a session has. */
export interface SessionFields {
  /** Identifies the session from its creation to its deletion. A session that is created again has another one. */
  readonly incarnation: string;
  /** Every applied commit raises it by exactly one. */
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When the session expires, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** The relative expiry in milliseconds; absent if the expiry was set as a time. */
  readonly expiresIn?: number;
  /** Every commit and every renewal of a turn sets the expiry to `expiresIn` after its own time. Reads do not. */
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
