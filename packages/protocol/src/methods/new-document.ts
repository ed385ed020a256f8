import type { SessionDocument } from "../session/session-document.js";

/** The document of an empty session. */
export function newDocument(incarnation: string, now: number): SessionDocument {
  return {
    incarnation,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    labels: {},
    metadata: {},
    counters: {},
    messages: [],
    revisions: [],
    rewrittenAt: 0,
    archives: [],
    snapshots: [],
    finishedTurns: { entries: [], horizon: 0 },
    commits: { entries: [], horizon: 0 },
  };
}
