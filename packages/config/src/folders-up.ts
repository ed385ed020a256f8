import { dirname } from "node:path";

/** Yields a folder and all folders above it, up to the root. */
export function* foldersUp(folder: string): Generator<string> {
  yield folder;
  if (dirname(folder) !== folder) yield* foldersUp(dirname(folder));
}
