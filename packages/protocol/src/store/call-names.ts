import { derivedId } from "../names/derived-id.js";
import type { UuidSource } from "../names/uuid-v7.js";
import type { NextId } from "../validate/checked-operation.js";

/**
 * The names that one call gives out. With a commit id of the caller's they follow from it, so that the same call
 * again means the same messages; without one they are new, but stay the same when the call is planned again.
 */
export interface CallNames {
  readonly commitId: string;
  /** From the first name on, for each plan. */
  restart(): NextId;
}

/** Names that follow from a key of the caller's. */
export function derivedNames(sessionId: string, key: string): CallNames {
  return {
    commitId: key,
    restart() {
      let index = 0;
      return () => derivedId(`${sessionId}\n${key}`, ++index);
    },
  };
}

/** Names that nobody has used before. */
export function newNames(ids: UuidSource): CallNames {
  const names: string[] = [];
  return {
    commitId: ids.next(),
    restart() {
      let index = 0;
      return () => {
        const name = names[index] ?? ids.next();
        names[index++] = name;
        return name;
      };
    },
  };
}
