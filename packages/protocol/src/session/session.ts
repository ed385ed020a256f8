import type { Message } from "../message/message.js";
import type { ArchiveInfo } from "./archive-info.js";
import type { SessionFields } from "./session-fields.js";
import type { SnapshotInfo } from "./snapshot-info.js";
import type { LastTurn, TurnInfo } from "./turn-info.js";

/** Everything about a session but its messages. */
export interface SessionSummary extends SessionFields {
  readonly id: string;
  /** How many messages are live. */
  readonly messageCount: number;
  readonly archives: readonly ArchiveInfo[];
  readonly snapshots: readonly SnapshotInfo[];
  readonly turn?: TurnInfo;
  readonly lastTurn?: LastTurn;
}

/** A session with the live messages that were asked for. */
export interface Session extends SessionSummary {
  readonly messages: readonly Message[];
}
