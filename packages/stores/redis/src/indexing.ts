import type { LiveState, Operation, SessionState } from "@sessions/protocol/backend";
import { type Entry, LEASE_MS } from "./session-index.js";

/** What the index has to do with a commit. */
export interface Indexing {
  /** What it has to be told before, if anything. */
  readonly entry: Entry | undefined;
  /** Until when it need not be told of changes then. */
  readonly lease: number;
}

/** What the index has to be told before a session becomes `after`, by `ops`. `lease`: until when it has been told of changes. */
export function indexing(
  before: SessionState | undefined,
  lease: number,
  after: SessionState,
  ops: readonly Operation[],
): Indexing {
  const old = before?.status === "live" ? before : undefined;
  if (after.status === "live") return ofLife(old, lease, after, ops);
  const labels = Object.entries(old?.labels ?? {});
  const entry = {
    bound: lease,
    endsAt: after.deletedAt,
    isNew: false,
    labels,
    parent: old?.parent?.sessionId,
  };
  return { entry, lease };
}

function ofLife(
  old: LiveState | undefined,
  lease: number,
  after: LiveState,
  ops: readonly Operation[],
): Indexing {
  if (old !== undefined && isKnown(old, lease, after)) return { entry: undefined, lease };
  const next = leaseAfter(old, lease, after, ops);
  const entry: Entry = {
    // Until the commit is written, the session is what it was.
    bound: old === undefined ? next : Math.max(lease, next),
    createdAt: after.createdAt,
    endsAt: after.expiresAt,
    isNew: old === undefined,
    labels: [...Object.entries(old?.labels ?? {}), ...Object.entries(after.labels)],
    parent: after.parent?.sessionId,
  };
  return { entry, lease: next };
}

function isKnown(old: LiveState, lease: number, after: LiveState): boolean {
  return (
    !isOdd(lease, after) &&
    after.updatedAt <= lease &&
    old.labels === after.labels &&
    old.expiresAt === after.expiresAt &&
    old.createdAt === after.createdAt &&
    old.parent?.sessionId === after.parent?.sessionId
  );
}

/**
 * A session that was created may be heard of never again, so its lease ends at once. One that has changed will change again, and so
 * will one that began with a message: somebody will answer it.
 */
function leaseAfter(
  old: LiveState | undefined,
  lease: number,
  after: LiveState,
  ops: readonly Operation[],
): number {
  if (old === undefined ? ops.some(({ op }) => op !== "append") : isOdd(lease, after)) return after.updatedAt;
  return old === undefined || after.updatedAt > lease ? after.updatedAt + LEASE_MS : lease;
}

/** Lists count on it that the last change is not much before its bound. An adopted document may bring an old time along. */
function isOdd(lease: number, after: LiveState): boolean {
  return after.updatedAt + LEASE_MS < lease;
}
