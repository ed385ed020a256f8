import type { SessionDocument } from "@sessions/protocol";

/** An empty session as a document. Its commit window has no commits from before `horizon`. */
export function emptyDocument(horizon = 0): SessionDocument {
  return {
    incarnation: "i1",
    revision: 1,
    createdAt: 1,
    updatedAt: 1,
    labels: {},
    metadata: {},
    counters: {},
    messages: [],
    revisions: [],
    archives: [],
    snapshots: [],
    finishedTurns: { entries: [], horizon: 0 },
    commits: { entries: [], horizon },
  };
}
