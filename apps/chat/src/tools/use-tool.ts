import type { Json } from "@sessions/json-file";
import type { DraftState } from "./draft-state.js";
import type { Tool } from "./tool.js";
import { ToolError } from "./tool-error.js";

/** What came of a call. */
export interface ToolOutcome {
  readonly output: Json;
  readonly isError: boolean;
}

/** Runs a tool for a model: what it refuses is an outcome, and any other error is a mistake of ours. */
export function useTool(tool: Tool, input: Json, state: DraftState): ToolOutcome {
  try {
    return { output: tool.run(input, state), isError: false };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { output: error.message, isError: true };
  }
}
