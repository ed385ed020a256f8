import { dirname } from "node:path";

/** A folder, the one above it, and so on to the root. */
export function* foldersUp(folder: string): Generator<string> {
  yield folder;
  if (dirname(folder) !== folder) yield* foldersUp(dirname(folder));
}
