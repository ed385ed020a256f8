import type { Message } from "@sessions/protocol";
import type { AgentEvent } from "./agent-event.js";

/** A turn begins: whose it is and what was asked. */
export interface TurnBegan {
  readonly type: "turn-began";
  readonly turnId: string;
  readonly owner?: string;
  readonly prompt?: Message;
}

/**
 * How a turn ended. `cut-off`: its producer died, its lease ran out or was taken over. `unknown`: so many turns have ended
 * since that this is not recorded any more.
 */
export interface TurnEnded {
  readonly type: "turn-ended";
  readonly turnId: string;
  readonly outcome: "completed" | "failed" | "interrupted" | "cut-off" | "unknown";
  readonly error?: string;
}

/** What a follower sees. Deltas come as they were saved: a checkpoint's worth at a time. */
export type FollowEvent = TurnBegan | AgentEvent | TurnEnded;
