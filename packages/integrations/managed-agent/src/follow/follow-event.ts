import type { Message } from "@sessions/protocol";
import type { AgentEvent } from "@sessions/turn-runner";

/** A turn begins. */
export interface TurnBegan {
  readonly type: "turn-began";
  readonly turnId: string;
  readonly owner?: string;
  readonly prompt?: Message;
}

/**
 * A turn has ended. `cut-off`: its process died, or its lease expired or was taken over. `unknown`: more than eight turns have
 * ended since, and the outcome is no longer recorded.
 */
export interface TurnEnded {
  readonly type: "turn-ended";
  readonly turnId: string;
  readonly outcome: "completed" | "failed" | "interrupted" | "cut-off" | "unknown";
  readonly error?: string;
}

/** What a follower gets. Deltas come as they were saved: one checkpoint at a time. */
export type FollowEvent = TurnBegan | AgentEvent | TurnEnded;
