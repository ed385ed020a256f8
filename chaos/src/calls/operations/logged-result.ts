import type { HistoryResult } from "@sessions/conformance/multi-process";
import type { MutationResult } from "@sessions/protocol";

/** The part of a result that the log keeps. */
export function loggedResult({ revision, duplicate }: MutationResult): HistoryResult {
  return { revision, duplicate };
}
