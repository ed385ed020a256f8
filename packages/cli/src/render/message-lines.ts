import { type Message, textOf } from "@sessions/protocol";
import { stripControls, stripControlsLine } from "../terminal/strip-controls.js";
import type { Style } from "../terminal/style.js";
import { wrapped } from "../terminal/width.js";
import { stamp } from "./age.js";
import { type ToolView, toolText } from "./tool-lines.js";
import { toolUsesOf } from "./tool-uses.js";

/** The indentation of the content of a message. */
export const INDENT = "  ";

const STATUSES = {
  partial: "partial: still being written",
  interrupted: "interrupted: it was never finished",
} as const;

/** A message as text: role and time, then the indented content. */
export function messageLines(
  message: Message,
  style: Style,
  columns: number,
  tools: ToolView,
): readonly string[] {
  return [messageHead(message, style), ...bodyLines(bodyOf(message, tools), columns)];
}

/** Role and time, and the status of a draft. */
export function messageHead(message: Message, style: Style): string {
  const status = message.status === undefined ? "" : style.bad(` [${STATUSES[message.status]}]`);
  const details = style.dim(`${stamp(message.createdAt)}  ${stripControlsLine(message.id)}`);
  return `${style.bold(stripControlsLine(message.role))}${status}  ${details}`;
}

export function bodyLines(text: string, columns: number): readonly string[] {
  const room = Math.max(20, columns - INDENT.length);
  return wrapped(stripControls(text), room).map((line) => `${INDENT}${line}`.trimEnd());
}

/** The beginning of a draft, whose next word follows on the same line. A space at its end is kept. */
export function draftText(text: string, columns: number): string {
  const room = Math.max(20, columns - INDENT.length);
  return wrapped(stripControls(text), room)
    .map((line) => `${INDENT}${line}`)
    .join("\n");
}

/** Text, tool calls and tool results. */
export function bodyOf(message: Message, tools: ToolView): string {
  const uses = toolUsesOf(message);
  // The text of a tool's message is its output, which is shown with the tool.
  const isOutput = uses.some(
    ({ kind, value }) => kind === "result" && typeof value === "string" && value === message.content,
  );
  const text = isOutput ? "" : textOf(message);
  return [text, ...uses.map((use) => toolText(use, tools))].filter((part) => part !== "").join("\n");
}
