import { savePatiently } from "@sessions/managed-agent/building-blocks";
import type { MutationOptions } from "@sessions/protocol";
import type { Settings } from "./settings.js";

/** How long a page waits for a store that does not answer, before it gets an error. */
const PATIENCE_MS = 2000;

/**
 * Calls the store, and again for a while if it is busy, cannot be reached, or its reply was lost. `call` must be one that can
 * be repeated: a read, or a commit under the id that it is given.
 */
export function retrying<Result>(
  { clock, newId }: Pick<Settings, "clock" | "newId">,
  call: (options: MutationOptions) => Promise<Result>,
): Promise<Result> {
  return savePatiently({ clock, newId, deadlineMs: PATIENCE_MS, isOver: () => false }, call);
}
