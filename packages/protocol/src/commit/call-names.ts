import { derivedId } from "../ids/derived-id.js";
import { laterUuids } from "../ids/uuids-after.js";
import type { NextId } from "../validate/checked-operation.js";

/**
 * The names that one call gives out. They follow from its commit id, so that the same call again means the same
 * messages, whether a caller chose the id or was told a generated one.
 */
export interface CallNames {
  readonly commitId: string;
  /** From the first name on, for each plan. */
  restart(): NextId;
}

/** The names that follow from a commit id, or from another key of the call. */
export function namesOf(sessionId: string, key: string): CallNames {
  return {
    commitId: key,
    restart() {
      let index = 0;
      // After a UUIDv7 come UUIDv7s, so that names sort by time; any other key is hashed.
      const later = laterUuids(key);
      return () => {
        index++;
        return later?.(index) ?? derivedId(`${sessionId}\n${key}`, index);
      };
    },
  };
}
