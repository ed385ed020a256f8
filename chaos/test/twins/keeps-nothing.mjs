import { surroundWith } from "../../dist/stores/redis.js";

export { open, tolerates } from "../../dist/stores/redis.js";

/** A server that answers before anything is on its disk, and has nothing there after a kill. */
export const surround = surroundWith({});
