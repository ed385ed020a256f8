import type { Context, JsonObject, Message } from "@sessions/protocol";
import type { AgentConfig } from "./agent-config.js";
import type { AgentEvent } from "./agent-event.js";

/** The input of a runner: all that a model needs to answer. */
export interface RunnerTurn {
  readonly sessionId: string;
  readonly turnId: string;
  /** The conversation within the token budget, the new prompt last, every tool call with its result. */
  readonly messages: readonly Message[];
  /** How much of the conversation `messages` holds. */
  readonly context: Pick<Context, "tokens" | "omitted">;
  /** Aborts when the turn is interrupted or lost, or when its consumer has left. Pass it to the model. */
  readonly signal: AbortSignal;
  readonly config: AgentConfig;
  /** The agent's state when the turn began. */
  readonly state: JsonObject;
}

/** Answers a prompt. Any function that yields events is a runner. An error that it throws ends the turn as failed. */
export type Runner = (turn: RunnerTurn) => AsyncIterable<AgentEvent>;
