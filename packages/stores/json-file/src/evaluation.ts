import {
  type Applied,
  applyCommit,
  type CommitOutcome,
  type CommitRequest,
  foreseen,
  type SessionState,
} from "@sessions/protocol";
import { entryOf } from "./commit-entry.js";
import type { CommitEntry } from "./journal-line.js";

/** What a batch of requests comes to on a state. */
export interface Evaluated {
  readonly outcomes: readonly CommitOutcome[];
  readonly state: () => SessionState | undefined;
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
  return { outcomes, state: () => next, entries };
}

/** The same for a single request that is plain enough: its state is made when it is written. */
export function lookedAhead(
  state: SessionState | undefined,
  requests: readonly CommitRequest[],
): Evaluated | undefined {
  const [request] = requests;
  const outcome = requests.length === 1 && request !== undefined ? foreseen(state, request) : undefined;
  if (request === undefined || outcome === undefined) return undefined;
  return {
    outcomes: [outcome],
    state: () => stateAfter(state, request, outcome),
    entries: [entryOf(request, outcome.revision)],
  };
}

function stateAfter(
  state: SessionState | undefined,
  request: CommitRequest,
  { revision }: Applied,
): SessionState | undefined {
  const { outcome, state: after } = applyCommit(state, request);
  if (outcome.status === "applied" && outcome.revision === revision) return after;
  throw new Error(`Commit "${request.id}" was foreseen to lead to revision ${revision} and did not.`);
}

/** An outcome that writes nothing must be told of the present state; one that does is checked by where it lands. */
export function isAllApplied({ outcomes, entries }: Evaluated): boolean {
  return entries.length === outcomes.length;
}
