import type { Operation, SessionDocument, StateImage } from "@sessions/protocol/backend";
import { isLong } from "./array-chunks.js";

type Path = readonly (string | number)[];

/** Where the operations of a commit may hold long arrays. */
export function longArraysInOperations(ops: readonly Operation[]): readonly Path[] {
  const paths: Path[] = [];
  for (const [index, op] of ops.entries()) {
    if ("messages" in op && isLong(op.messages)) paths.push(["ops", index, "messages"]);
    if ("document" in op) paths.push(...pathsInDocument(["ops", index, "document"], op.document));
  }
  return paths;
}

/** Where the state at the beginning of a segment may hold long arrays. */
export function* longArraysInImage(image: StateImage): Generator<Path, void> {
  if (image.status === "deleted") return yield ["base", "given", "entries"];
  yield* pathsInDocument(["base", "document"], image.document);
  yield ["base", "document", "commits", "entries"];
  yield ["base", "document", "finishedTurns", "entries"];
}

function* pathsInDocument(path: Path, { snapshots }: SessionDocument): Iterable<Path> {
  yield [...path, "messages"];
  yield [...path, "revisions"];
  for (const index of snapshots.keys()) {
    yield [...path, "snapshots", index, "messages"];
    yield [...path, "snapshots", index, "revisions"];
  }
}
