import type { Change, SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../assertions/eventually.js";
import { activeWatcher, lastCursor } from "./active-watcher.js";
import { startWatching } from "./watcher.js";

/** The cursor after all changes so far. */
export async function currentCursor(store: SessionStore): Promise<string> {
  const watcher = await activeWatcher(store);
  await watcher.stop();
  return lastCursor(watcher);
}

/** The expected last change of each session. */
export type LastChanges = Readonly<
  Record<string, { readonly revision?: number; readonly deleted?: boolean }>
>;

/** Resumes from a cursor, and waits until the last change of each session is the expected one. */
export async function expectResumed(
  store: SessionStore,
  since: string,
  expected: LastChanges,
): Promise<void> {
  const watcher = startWatching(store, { since });
  await eventually(() => {
    for (const [id, change] of Object.entries(expected))
      expect(lastChangeOf(watcher.seen, id), `the last change of "${id}"`).toMatchObject(change);
  });
  await watcher.stop();
}

/** The last change of a session. */
export function lastChangeOf(changes: readonly Change[], sessionId: string): Change | undefined {
  return changes.findLast((change) => change.sessionId === sessionId);
}
