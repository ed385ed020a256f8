import type { Context, JsonObject, Message } from "@sessions/protocol";
import type { AgentConfig } from "./agent-config.js";
import type { AgentEvent } from "./agent-event.js";

/** What a runner is given: all that a model needs to answer. */
export interface RunnerTurn {
  readonly sessionId: string;
  readonly turnId: string;
  /** The conversation, the new prompt last, within the token budget, every tool call with its result. */
  readonly messages: readonly Message[];
  /** How much of the conversation that is. */
  readonly context: Pick<Context, "tokens" | "omitted">;
  /** Aborts when the turn is interrupted or lost, or when nobody listens any more. Pass it to the model. */
  readonly signal: AbortSignal;
  readonly config: AgentConfig;
  /** The agent's state as of the beginning of the turn. */
  readonly state: JsonObject;
}

/** Answers a prompt. Any function that yields events will do; what it throws ends the turn as failed. */
export type Runner = (turn: RunnerTurn) => AsyncIterable<AgentEvent>;
