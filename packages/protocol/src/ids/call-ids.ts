import { derivedId } from "./derived-id.js";
import { uuidsAfter } from "./uuids-after.js";

/** Returns the next id of a call, in order. */
export type NextId = () => string;

/** The ids that one call generates. They are derived from its commit id: the same call sent again names the same messages. */
export interface CallIds {
  readonly commitId: string;
  /** Begins with the first id again. Every attempt at a plan uses the same ids. */
  restart(): NextId;
}

/** The ids that are derived from a commit id, or from another key of the call. */
export function callIds(sessionId: string, key: string): CallIds {
  return {
    commitId: key,
    restart() {
      let index = 0;
      // UUIDv7s follow a UUIDv7, so that ids sort by time. Any other key is hashed.
      const uuidAt = uuidsAfter(key);
      return () => {
        index++;
        return uuidAt?.(index) ?? derivedId(`${sessionId}\n${key}`, index);
      };
    },
  };
}
