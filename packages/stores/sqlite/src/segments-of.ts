import { type History, layersOf } from "@sessions/protocol";
import { RowSource } from "./row-source.js";
import { Segments } from "./segments.js";

/** The rows that a stored history consists of. */
export function segmentsOf(history: History): Segments {
  const { source } = layersOf(history);
  return source instanceof RowSource ? source.segments : Segments.EMPTY;
}
