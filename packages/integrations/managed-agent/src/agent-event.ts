import type { Json, JsonObject, MessageInput } from "@sessions/protocol";

/** More of the answer's text. */
export interface TextDelta {
  readonly type: "text-delta";
  readonly text: string;
}

/** More of what the model thinks before it answers. */
export interface ReasoningDelta {
  readonly type: "reasoning-delta";
  readonly text: string;
}

/** The model asks for a tool. */
export interface ToolCall {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
}

/** What the tool answered. Each call needs one: a provider refuses a history without it. */
export interface ToolResult {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: Json;
  /** The tool failed, and `output` says why. */
  readonly isError?: boolean;
}

/** Adds to the session's counters, with the commit that ends the turn. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly [counter: string]: number | undefined;
}

/** Usage to add up; a turn of several model calls reports it once for each. */
export interface UsageEvent {
  readonly type: "usage";
  readonly usage: Usage;
}

/** Changes the agent's state, with the commit that completes the turn. `null` clears a key. */
export interface StateEvent {
  readonly type: "state";
  readonly patch: JsonObject;
}

/** A whole message of the runner's own making. */
export interface MessageEvent {
  readonly type: "message";
  readonly message: MessageInput;
}

/**
 * More about the assistant message that is being written, stored in its `metadata`: what a provider wants to see again
 * and no other event can carry. Begins a message where none is being written. A key that is given again is replaced.
 */
export interface MetadataEvent {
  readonly type: "metadata";
  readonly metadata: JsonObject;
}

/** What a runner tells while it answers, in order. */
export type AgentEvent =
  | TextDelta
  | ReasoningDelta
  | ToolCall
  | ToolResult
  | UsageEvent
  | StateEvent
  | MessageEvent
  | MetadataEvent;
