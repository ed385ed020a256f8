import { type AcceptedCommit, acceptedCommits, type Call, describeCall, revisionOf } from "./call.js";
import type { Violation } from "./history-event.js";

/** No two commits have one revision, revisions rise in real time, and reads show what was acknowledged before they began. */
export function checkRevisions(session: string, calls: readonly Call[]): Violation[] {
  return [...duplicateRevisions(session, acceptedCommits(calls)), ...outdatedRevisions(session, calls)];
}

function duplicateRevisions(session: string, commits: readonly AcceptedCommit[]): Violation[] {
  return commits.flatMap((commit, index) => {
    const previous = commits[index - 1];
    if (previous?.revision !== commit.revision) return [];
    const detail = `${describeCall(previous)} and ${describeCall(commit)} both have revision ${commit.revision}`;
    return [{ kind: "revision" as const, session, detail }];
  });
}

/** Goes through the calls in the order of time, with the greatest revision that any call has returned so far. */
function outdatedRevisions(session: string, calls: readonly Call[]): Violation[] {
  const answered = calls.filter((call) => revisionOf(call) !== undefined);
  const ended = [...answered].sort((a, b) => a.endedAt - b.endedAt);
  const violations: Violation[] = [];
  let floor = 0;
  let next = 0;
  for (const call of [...answered].sort((a, b) => a.invokedAt - b.invokedAt)) {
    for (
      let before = ended[next];
      before !== undefined && before.endedAt < call.invokedAt;
      before = ended[++next]
    ) {
      floor = Math.max(floor, revisionOf(before) ?? 0);
    }
    violations.push(...belowFloor(session, call, floor));
  }
  return violations;
}

function belowFloor(session: string, call: Call, floor: number): Violation[] {
  const revision = revisionOf(call);
  if (revision === undefined || call.result.duplicate === true) return []; // a duplicate returns the first revision
  if (call.action.kind === "read") {
    if (revision >= floor) return [];
    const detail = `${describeCall(call)} shows revision ${revision}; ${floor} had been acknowledged before it began`;
    return [{ kind: "stale-read", session, detail }];
  }
  if (revision > floor) return [];
  return [
    {
      kind: "revision",
      session,
      detail: `${describeCall(call)} returned revision ${revision} after ${floor} had been returned`,
    },
  ];
}
