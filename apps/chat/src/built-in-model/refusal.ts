import type { ToolOutcome } from "../tools/use-tool.js";

/** The sentence for a tool that did not do what it was asked; `undefined` if it did. */
export function refusal(outcome: ToolOutcome | undefined): string | undefined {
  return outcome?.isError === true ? `${String(outcome.output)}.` : undefined;
}
