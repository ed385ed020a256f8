import type { SessionTree } from "@sessions/protocol";
import { stripControlsLine } from "../terminal/strip-controls.js";
import type { Style } from "../terminal/style.js";
import { fitted } from "../terminal/width.js";
import { counted } from "./counted.js";

/** A session and its forks as a tree. */
export function treeLines(tree: SessionTree, style: Style, columns: number): readonly string[] {
  return branchLines(tree, "", "", style, columns);
}

function branchLines(
  { session, children }: SessionTree,
  first: string,
  rest: string,
  style: Style,
  columns: number,
): readonly string[] {
  const { id, title, messageCount, parent } = session;
  const name = stripControlsLine(id);
  const at = parent?.messageId === undefined ? "" : ` at ${parent.messageId}`;
  const details = stripControlsLine(
    `${title === undefined ? "" : `${title}, `}${counted(messageCount, "message")}${at}`,
  );
  const line = fitted(`${first}${name}  ${details}`, columns);
  const shown = line.startsWith(`${first}${name}`)
    ? `${first}${style.name(name)}${style.dim(line.slice(first.length + name.length))}`
    : line;
  return [
    shown,
    ...children.flatMap((child, index) => {
      const last = index === children.length - 1;
      return branchLines(
        child,
        `${rest}${last ? "└─ " : "├─ "}`,
        `${rest}${last ? "   " : "│  "}`,
        style,
        columns,
      );
    }),
  ];
}
