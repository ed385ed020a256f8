import type { UIMessage } from "ai";

/** What a message says. */
export function textOf({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
