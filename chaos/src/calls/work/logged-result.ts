import type { HistoryResult } from "@sessions/conformance/multi-process";
import type { MutationResult } from "@sessions/protocol";

/** What the log keeps of an answer. */
export function loggedResult({ revision, duplicate }: MutationResult): HistoryResult {
  return { revision, duplicate };
}
