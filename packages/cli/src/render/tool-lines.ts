import { fitted, widthOf } from "../terminal/width.js";
import type { ToolUse } from "./tool-uses.js";

/** The width of an input or output that is not shown in full. */
const MAX_FOLDED_COLUMNS = 100;

/** How tools are shown. */
export interface ToolView {
  /** Whether inputs and outputs are shown whole, on several lines. */
  readonly full: boolean;
  /** The names of the tools, by the ids of their calls. */
  readonly names: ReadonlyMap<string, string>;
}

/** A call as `→ name input`, a result as `← name output`, with the id of the call. */
export function toolText({ kind, callId, name, value }: ToolUse, { full, names }: ToolView): string {
  const tool = name ?? (callId === undefined ? undefined : names.get(callId));
  const id = callId === undefined ? "" : ` (${callId})`;
  const head = `${kind === "call" ? "→" : "←"} ${tool ?? "a tool"}${id}`;
  if (value === undefined) return head;
  if (full) return [head, ...unfolded(value).split("\n")].join("\n  ");
  return `${head} ${fitted(folded(value), MAX_FOLDED_COLUMNS)}`;
}

/** Whether a folded view leaves out a part of the value. */
export function isFolded({ value }: ToolUse): boolean {
  return value !== undefined && widthOf(folded(value)) > MAX_FOLDED_COLUMNS;
}

function folded(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " ").trim();
}

function unfolded(value: unknown): string {
  return typeof value === "string" ? (indented(value) ?? value) : JSON.stringify(value, undefined, 2);
}

/** Tools of OpenAI take and give JSON as text. */
function indented(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? JSON.stringify(value, undefined, 2) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined; // a text that is not JSON
  }
}
