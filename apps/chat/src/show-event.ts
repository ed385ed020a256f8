import type { Json } from "@sessions/json-file";
import type { AgentEvent } from "@sessions/managed-agent";
import type { Screen } from "./terminal/screen.js";

const SHOWN = 200;

/** Shows an event of a turn: text or a tool call. */
export function showEvent(event: AgentEvent, screen: Screen): void {
  if (event.type === "text-delta") screen.say(event.text);
  if (event.type === "tool-call") screen.remark(`[${event.toolName} ${shortened(event.input)}]`);
  if (event.type === "tool-result" && event.isError === true)
    screen.remark(`[${event.toolName} failed: ${shortened(event.output)}]`);
}

function shortened(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
