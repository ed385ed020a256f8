import { type Message, type OperationInput, splice } from "@sessions/protocol";
import type { HistoryEntry } from "./answer-open-calls.js";

/** Operations that make `entries` the live messages: the unchanged beginning is kept, the rest is written anew. */
export function resplice(
  messages: readonly Message[],
  entries: readonly HistoryEntry[],
): readonly OperationInput[] {
  const changed = entries.findIndex((entry, index) => entry !== messages[index]);
  const kept = changed === -1 ? entries.length : changed;
  if (kept === messages.length && kept === entries.length) return [];
  return [splice(kept, entries.slice(kept).map(interrupted))];
}

/** The writer of a partial message is gone: written back as partial, it would look as if it still grew. */
function interrupted(entry: HistoryEntry): HistoryEntry {
  return entry.status === "partial" ? { ...entry, status: "interrupted" } : entry;
}
