import type { Listed } from "../listing/summaries.js";

/** A session as a watcher sees it: enough to tell whether it has changed. */
export interface Sighting {
  readonly id: string;
  readonly revision: number;
  /** The time of its last change, which may be its end. */
  readonly at: number;
  readonly deleted: boolean;
  /** When it ends, if nothing happens before. */
  readonly expiresAt?: number;
}

/** What a watcher sees of a session. */
export function sightingOf(listed: Listed): Sighting {
  const { id } = listed;
  if (listed.status === "deleted") {
    return { id, revision: listed.revision, at: listed.deletedAt, deleted: true };
  }
  const { revision, updatedAt: at, expiresAt } = listed.summary;
  return { id, revision, at, deleted: false, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** Whether a session has not changed. The time too: see `DeliveredSessions`. */
export function isSameSighting(a: Sighting, b: Sighting): boolean {
  return a.revision === b.revision && a.at === b.at && a.deleted === b.deleted;
}
