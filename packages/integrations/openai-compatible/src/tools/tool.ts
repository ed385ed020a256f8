import type { JsonObject } from "@sessions/protocol";

/** What a tool gets besides its input. */
export interface ToolContext {
  /** Aborts when the turn is interrupted or lost, or when its consumer has left. */
  readonly signal: AbortSignal;
  /** The id of this call. With `turnId` it makes an idempotency key for what the tool does outside. */
  readonly toolCallId: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** The agent's state when the turn began, with the changes that its tools have made before this call. */
  readonly state: JsonObject;
  /** Changes keys of the state; `null` clears one. It is stored with the end of the turn, or not at all. */
  setState(patch: JsonObject): void;
}

/** A function that the model may call. */
export interface Tool {
  /** When to use it, and for what. The model reads this. */
  readonly description?: string | undefined;
  /** A JSON schema of the input, which must be an object. @default an object without properties */
  readonly parameters?: JsonObject | undefined;
  /**
   * Runs the tool. The input is a JSON object that is not checked against the schema: models make mistakes. The return value goes
   * through `jsonify` and then to the model. An error goes to the model as an error result, and the turn goes on.
   */
  readonly execute: (input: JsonObject, context: ToolContext) => unknown;
}
