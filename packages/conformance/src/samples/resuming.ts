import type { Change, SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../assertions/eventually.js";
import { lastCursor, listening } from "./listening.js";
import { watching } from "./watching.js";

/** The cursor of a watcher that knows of everything until now, and has left. */
export async function cursorNow(store: SessionStore): Promise<string> {
  const watcher = await listening(store);
  await watcher.stop();
  return lastCursor(watcher);
}

/** What the last change of each of these sessions must be. */
export type LastChanges = Readonly<
  Record<string, { readonly revision?: number; readonly deleted?: boolean }>
>;

/** Resumes after a cursor, and waits until the last change of each session is the expected one. */
export async function resumed(store: SessionStore, since: string, expected: LastChanges): Promise<void> {
  const watcher = watching(store, { since });
  await eventually(() => {
    for (const [id, change] of Object.entries(expected))
      expect(lastOf(watcher.seen, id), `the last change of "${id}"`).toMatchObject(change);
  });
  await watcher.stop();
}

/** The last change of a session among some changes. */
export function lastOf(changes: readonly Change[], sessionId: string): Change | undefined {
  return changes.findLast((change) => change.sessionId === sessionId);
}
