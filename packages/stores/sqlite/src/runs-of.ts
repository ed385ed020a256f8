import { type History, layersOf, Runs } from "@sessions/protocol/backend";
import { RowSource } from "./row-source.js";

/** The rows that a stored history consists of. */
export function runsOf(history: History): Runs {
  const { source } = layersOf(history);
  return source instanceof RowSource ? source.runs : Runs.EMPTY;
}
