import type { MessageInput } from "@sessions/protocol";
import type { AgentConfig } from "../agent-config.js";
import type { AgentEvent } from "../agent-event.js";

/** A turn that is to be run. It keeps its own session: what the agent turns to meanwhile does not concern it. */
export interface TurnRequest {
  readonly sessionId: string;
  readonly turnId: string;
  /** What is asked, marked as the prompt of this turn. */
  readonly prompt: MessageInput;
  /** For a session that has no config yet. */
  readonly config: AgentConfig;
}

/** Hands an event on. A promise if the one who gets it needs time. */
export type Emit = (event: AgentEvent) => Promise<void> | undefined;
