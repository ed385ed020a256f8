import type { Json } from "@sessions/json-file";
import type { ToolOutcome } from "../tools/use-tool.js";

/** The next step of an answer: text or a tool call. */
type Step = { readonly say: string } | { readonly use: string; readonly input: Json };

/** The steps of an answer. A tool call gets its result back, text gets nothing. */
export type Answer = Generator<Step, void, ToolOutcome | undefined>;
