import type { Applied } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { SessionState } from "./session-state.js";

/**
 * What `applyCommit` will say of the plainest request of all, one new message without conditions, told at the cost of a
 * few lookups. A store can write the commit down then, and make the next state while the disk works. `undefined` for any
 * other request: ask `applyCommit`.
 */
export function foreseen(state: SessionState | undefined, request: CommitRequest): Applied | undefined {
  if (state?.status !== "live" || state.expiresAt !== undefined || !isUnconditional(request))
    return undefined;
  const [op] = request.ops;
  if (request.ops.length !== 1 || op?.op !== "append" || op.messages.length !== 1) return undefined;
  const [message] = op.messages;
  if (message === undefined || state.history.messages.positionOf(message.id) !== undefined) return undefined;
  const { given, generated } = state.commits;
  if ((given.get(request.id) ?? generated.get(request.id)) !== undefined) return undefined;
  return { status: "applied", revision: state.revision + 1, at: request.at };
}

function isUnconditional({ ageMs, ifRevision, ifAbsent, ifIdle, fence }: CommitRequest): boolean {
  if (ageMs !== undefined || ifRevision !== undefined || fence !== undefined) return false;
  return ifAbsent === undefined && ifIdle === undefined;
}
