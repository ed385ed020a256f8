import type { Json, JsonObject } from "@sessions/json-file";
import type { DraftState } from "./draft-state.js";

/** A tool. Both models have the same ones. */
export interface Tool {
  readonly name: string;
  /** The description for the model. */
  readonly description: string;
  /** JSON schema of the input. */
  readonly parameters: JsonObject;
  /** Runs the tool. Throws a ToolError with a message for the model if the input is wrong. */
  run(input: Json, state: DraftState): Json;
}
