import type { Runs } from "@sessions/protocol/backend";
import { type History, layersOf } from "@sessions/protocol/backend";
import { RowSource } from "./row-source.js";

/** The rows that a history was read from. */
export function runsOf(history: History): Runs | undefined {
  const { source } = layersOf(history);
  return source instanceof RowSource ? source.runs : undefined;
}
