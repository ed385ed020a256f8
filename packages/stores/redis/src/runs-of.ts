import type { History } from "@sessions/protocol/backend";
import type { Runs } from "@sessions/row-engine";
import { historyChangesOf } from "@sessions/row-engine";
import { RowSource } from "./row-source.js";

/** The rows that a history was read from. */
export function runsOf(history: History): Runs | undefined {
  const { source } = historyChangesOf(history);
  return source instanceof RowSource ? source.runs : undefined;
}
