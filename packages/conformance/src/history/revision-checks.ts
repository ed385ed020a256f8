import { type AcceptedCommit, acceptedCommits, type Call, nameOf, revisionOf } from "./call.js";
import type { Violation } from "./history-event.js";

/** Revisions are given once, rise in real time, and no reader is behind what was acknowledged before it began. */
export function checkRevisions(session: string, calls: readonly Call[]): Violation[] {
  return [...givenTwice(session, acceptedCommits(calls)), ...goneBack(session, calls)];
}

function givenTwice(session: string, commits: readonly AcceptedCommit[]): Violation[] {
  return commits.flatMap((commit, index) => {
    const previous = commits[index - 1];
    if (previous?.revision !== commit.revision) return [];
    const detail = `revision ${commit.revision} was given to ${nameOf(previous)} and to ${nameOf(commit)}`;
    return [{ kind: "revision" as const, session, detail }];
  });
}

/** Sweeps over time with the greatest revision that anybody has been told of. */
function goneBack(session: string, calls: readonly Call[]): Violation[] {
  const told = calls.filter((call) => revisionOf(call) !== undefined);
  const ended = [...told].sort((a, b) => a.endedAt - b.endedAt);
  const violations: Violation[] = [];
  let floor = 0;
  let next = 0;
  for (const call of [...told].sort((a, b) => a.invokedAt - b.invokedAt)) {
    for (
      let before = ended[next];
      before !== undefined && before.endedAt < call.invokedAt;
      before = ended[++next]
    ) {
      floor = Math.max(floor, revisionOf(before) ?? 0);
    }
    violations.push(...behind(session, call, floor));
  }
  return violations;
}

function behind(session: string, call: Call, floor: number): Violation[] {
  const revision = revisionOf(call);
  if (revision === undefined || call.result.duplicate === true) return []; // a repeat tells the first answer
  if (call.action.kind === "read") {
    if (revision >= floor) return [];
    const detail = `${nameOf(call)} shows revision ${revision}; ${floor} had been acknowledged before it began`;
    return [{ kind: "stale-read", session, detail }];
  }
  if (revision > floor) return [];
  return [
    {
      kind: "revision",
      session,
      detail: `${nameOf(call)} made revision ${revision} after ${floor} was known`,
    },
  ];
}
