import type { Json, JsonObject } from "@sessions/json-file";
import type { DraftState } from "./draft-state.js";

/** Something that a model may have done for it. Both models are given the same ones. */
export interface Tool {
  readonly name: string;
  /** For the model: what it is for. */
  readonly description: string;
  /** JSON schema of the input. */
  readonly parameters: JsonObject;
  /** Throws a ToolError, with words for the model, if the input makes no sense. */
  run(input: Json, state: DraftState): Json;
}
