import { openStore, type Place, placeOf } from "test-tools";

/** A json-file store in a folder that other processes know too. */
export function folderPlace(root: string): Place {
  return placeOf((options) => openStore({ kind: "json-file", root }, options));
}
