import type { MessageInput } from "@sessions/protocol";
import type { AgentConfig } from "@sessions/turn-runner";

/** A turn to run. It names its session: the agent may turn to another one meanwhile. */
export interface TurnRequest {
  readonly sessionId: string;
  readonly turnId: string;
  /** The prompt, marked as that of this turn. */
  readonly prompt: MessageInput;
  /** For a session that has no config yet. */
  readonly config: AgentConfig;
}
