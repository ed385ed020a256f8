import type { Json, JsonObject, MessageInput } from "@sessions/protocol";

/** More of the answer's text. */
export interface TextDelta {
  readonly type: "text-delta";
  readonly text: string;
}

/** More of the reasoning that precedes the answer. */
export interface ReasoningDelta {
  readonly type: "reasoning-delta";
  readonly text: string;
}

/** The model calls a tool. */
export interface ToolCall {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
}

/** The result of a tool call. Each call needs one: providers refuse a history without it. */
export interface ToolResult {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: Json;
  /** The tool failed, and `output` says why. */
  readonly isError?: boolean;
}

/** Added to the session's counters by the commit that ends the turn. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly [counter: string]: number | undefined;
}

/** Usage to add up: a turn of several model calls has one event for each call. */
export interface UsageEvent {
  readonly type: "usage";
  readonly usage: Usage;
}

/** Changes the agent's state in the commit that completes the turn. `null` clears a key. */
export interface StateEvent {
  readonly type: "state";
  readonly patch: JsonObject;
}

/** A whole message, stored as it is. */
export interface MessageEvent {
  readonly type: "message";
  readonly message: MessageInput;
}

/**
 * Keys for the `metadata` of the assistant message that is being written, for what a provider needs to get back and no other
 * event carries. Begins a message if none is open. A repeated key is replaced.
 */
export interface MetadataEvent {
  readonly type: "metadata";
  readonly metadata: JsonObject;
}

/** What a runner yields while it answers, in order. */
export type AgentEvent =
  | TextDelta
  | ReasoningDelta
  | ToolCall
  | ToolResult
  | UsageEvent
  | StateEvent
  | MessageEvent
  | MetadataEvent;
