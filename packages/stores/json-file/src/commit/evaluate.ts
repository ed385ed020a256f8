import {
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  type SessionState,
} from "@sessions/protocol/backend";
import { entryOf } from "../session/lines/commit-entry.js";
import type { CommitEntry } from "../session/lines/journal-line.js";

/** What a batch of requests leads to on a state. */
export interface Evaluated {
  readonly outcomes: readonly CommitOutcome[];
  readonly state: SessionState | undefined;
  readonly entries: readonly CommitEntry[];
}

/** Decides requests one after the other, each on the state that those before it lead to. */
export function evaluate(state: SessionState | undefined, requests: readonly CommitRequest[]): Evaluated {
  const outcomes: CommitOutcome[] = [];
  const entries: CommitEntry[] = [];
  let next = state;
  for (const request of requests) {
    const { outcome, state: after } = applyCommit(next, request);
    outcomes.push(outcome);
    next = after;
    if (outcome.status === "applied") entries.push(entryOf(request, outcome.revision));
  }
  return { outcomes, state: next, entries };
}
