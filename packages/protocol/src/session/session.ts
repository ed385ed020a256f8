import type { Message } from "../message/message.js";
import type { ArchiveInfo } from "./archive-info.js";
import type { SessionFields } from "./session-fields.js";
import type { SnapshotInfo } from "./snapshot-info.js";
import type { LastTurn, TurnInfo } from "./turn-info.js";

/** A session without its messages. */
export interface SessionSummary extends SessionFields {
  readonly id: string;
  /** The number of live messages. */
  readonly messageCount: number;
  readonly archives: readonly ArchiveInfo[];
  readonly snapshots: readonly SnapshotInfo[];
  readonly turn?: TurnInfo;
  readonly lastTurn?: LastTurn;
}

/** A session with the live messages that were selected. */
export interface Session extends SessionSummary {
  readonly messages: readonly Message[];
}

/** A session with its forks and their forks. */
export interface SessionTree {
  readonly session: SessionSummary;
  readonly children: SessionTree[];
}
