import type { Message } from "@sessions/protocol";
import { toolUsesOf } from "./tool-uses.js";

/** The names of the tools that messages call, by the ids of the calls. */
export function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { callId, name } of messages.flatMap(toolUsesOf))
    if (callId !== undefined && name !== undefined) names.set(callId, name);
  return names;
}
