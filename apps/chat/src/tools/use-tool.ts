import type { Json } from "@sessions/json-file";
import type { DraftState } from "./draft-state.js";
import type { Tool } from "./tool.js";
import { ToolError } from "./tool-error.js";

/** The outcome of a tool call. */
export interface ToolOutcome {
  readonly output: Json;
  readonly isError: boolean;
}

/** Runs a tool for a model. A ToolError is an outcome. Any other error is a bug and is thrown. */
export function useTool(tool: Tool, input: Json, state: DraftState): ToolOutcome {
  try {
    return { output: tool.run(input, state), isError: false };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { output: error.message, isError: true };
  }
}
