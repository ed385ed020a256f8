import { openJsonFileStore } from "@sessions/json-file";

/** How another process opens the same folder. */
export function open(options) {
  return openJsonFileStore(JSON.parse(options));
}
