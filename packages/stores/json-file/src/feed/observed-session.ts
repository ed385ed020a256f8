import type { SessionState } from "@sessions/protocol/backend";
import type { Listed } from "../listing/summaries.js";

/** A session as a watcher sees it: enough to tell whether it has changed. */
export interface ObservedSession {
  readonly id: string;
  readonly revision: number;
  /** The time of its last change, which may be its end. */
  readonly at: number;
  readonly deleted: boolean;
  /** When it ends, if nothing happens before. */
  readonly expiresAt?: number;
}

export function observedState(id: string, state: SessionState): ObservedSession {
  const { revision } = state;
  if (state.status === "deleted") return { id, revision, at: state.deletedAt, deleted: true };
  const { updatedAt: at, expiresAt } = state;
  return { id, revision, at, deleted: false, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

export function observedListed(listed: Listed): ObservedSession {
  const { id } = listed;
  if (listed.status === "deleted")
    return { id, revision: listed.revision, at: listed.deletedAt, deleted: true };
  const { revision, updatedAt: at, expiresAt } = listed.summary;
  return { id, revision, at, deleted: false, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** Whether a session has not changed. The time too: see `DeliveredSessions`. */
export function isUnchanged(before: ObservedSession, now: ObservedSession): boolean {
  return before.revision === now.revision && before.at === now.at && before.deleted === now.deleted;
}
