import type { JsonObject } from "@sessions/protocol";

/** What a tool is told besides its input. */
export interface ToolContext {
  /** Aborts when the turn is interrupted or lost, or when nobody listens any more. */
  readonly signal: AbortSignal;
  /** Names this call. With `turnId` it makes an idempotency key for what the tool does outside. */
  readonly toolCallId: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** The agent's state: as of the beginning of the turn, with what its tools have changed before this call. */
  readonly state: JsonObject;
  /** Changes keys of the state; `null` clears one. It is stored with the end of the turn, or not at all. */
  setState(patch: JsonObject): void;
}

/** Something that the model may ask for. */
export interface Tool {
  /** When to use it, and for what. The model reads this. */
  readonly description?: string | undefined;
  /** A JSON schema of the input, which must be an object. @default an object without properties */
  readonly parameters?: JsonObject | undefined;
  /**
   * Does it. The input is a JSON object, but nobody has compared it with the schema: models make mistakes. What this
   * returns goes through `jsonify` and then to the model. What it throws goes to the model as an error, and the turn
   * goes on.
   */
  readonly execute: (input: JsonObject, context: ToolContext) => unknown;
}
