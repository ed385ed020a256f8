import { type Message, textOf, toolLinksOf } from "@sessions/protocol";
import { stripControls, stripControlsLine } from "../terminal/strip-controls.js";
import type { Style } from "../terminal/style.js";
import { wrapped } from "../terminal/width.js";
import { stamp } from "./age.js";

const INDENT = "  ";

/** A message as text: role and time, then the indented content. */
export function messageLines(message: Message, style: Style, columns: number): readonly string[] {
  return [messageHead(message, style), ...bodyLines(bodyOf(message), columns)];
}

/** Role and time. */
export function messageHead(message: Message, style: Style): string {
  const status = message.status === undefined ? "" : style.bad(` [${message.status}]`);
  const details = style.dim(`${stamp(message.createdAt)}  ${stripControlsLine(message.id)}`);
  return `${style.bold(stripControlsLine(message.role))}${status}  ${details}`;
}

export function bodyLines(text: string, columns: number): readonly string[] {
  const room = Math.max(20, columns - INDENT.length);
  return wrapped(stripControls(text), room).map((line) => `${INDENT}${line}`.trimEnd());
}

/** Text, tool calls and tool results. */
export function bodyOf(message: Message): string {
  const { calls, results } = toolLinksOf(message);
  const links = [
    ...(calls.length === 0 ? [] : [`→ calls ${calls.join(", ")}`]),
    ...(results.length === 0 ? [] : [`← answers ${results.join(", ")}`]),
  ];
  return [textOf(message), ...links].filter((part) => part !== "").join("\n");
}
