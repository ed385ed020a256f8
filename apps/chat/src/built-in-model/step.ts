import type { Json } from "@sessions/json-file";
import type { ToolOutcome } from "../tools/use-tool.js";

/** What the built-in model does next: say something, or have a tool do something. */
type Step = { readonly say: string } | { readonly use: string; readonly input: Json };

/** An answer, step by step. What a tool came to is handed back to it; after words it gets nothing. */
export type Answer = Generator<Step, void, ToolOutcome | undefined>;
