import type { CommitRequest } from "../backend/commit-request.js";
import { derivedId } from "../ids/derived-id.js";
import { EMPTY_HISTORY } from "./history.js";
import type { CommitWindow } from "./memory/commit-window.js";
import { TwoGenerationMemory } from "./memory/two-generation-memory.js";
import type { LiveState } from "./session-state.js";

/** The empty session to which its first commit is applied. */
export function newSession(request: CommitRequest, commits: CommitWindow): LiveState {
  return {
    status: "live",
    // Derived from the commit: a commit that is sent again creates the same session.
    incarnation: derivedId(`${request.sessionId}\n${request.id}`, 0),
    revision: 0,
    createdAt: request.at,
    updatedAt: request.at,
    labels: {},
    metadata: {},
    counters: {},
    history: EMPTY_HISTORY,
    rewrittenAt: 0,
    snapshots: [],
    queue: [],
    finishedTurns: TwoGenerationMemory.empty(),
    commits,
  };
}
