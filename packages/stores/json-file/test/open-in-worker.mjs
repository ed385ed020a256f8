import { openJsonFileStore } from "@sessions/json-file";

/** How another process opens the same folder. */
export function open(root) {
  return openJsonFileStore({ root });
}
