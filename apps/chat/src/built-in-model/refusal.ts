import type { ToolOutcome } from "../tools/use-tool.js";

/** The sentence for a tool that has failed, or `undefined`. */
export function refusal(outcome: ToolOutcome | undefined): string | undefined {
  return outcome?.isError === true ? `${String(outcome.output)}.` : undefined;
}
