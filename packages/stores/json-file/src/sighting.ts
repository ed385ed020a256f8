import type { SessionState } from "@sessions/protocol";

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

/** What a watcher sees of a state. */
export function sightingOf(id: string, state: SessionState): Sighting {
  const { revision } = state;
  if (state.status === "deleted") return { id, revision, at: state.deletedAt, deleted: true };
  const { updatedAt: at, expiresAt } = state;
  return { id, revision, at, deleted: false, ...(expiresAt === undefined ? {} : { expiresAt }) };
}
