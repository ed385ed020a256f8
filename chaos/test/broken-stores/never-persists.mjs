import { surroundWith } from "../../dist/stores/redis.js";

export { open, tolerates } from "../../dist/stores/redis.js";

/** A server without persistence: it loses its data when it is killed. */
export const surround = surroundWith({});
