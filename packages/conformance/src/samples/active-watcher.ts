import type { SessionStore } from "@sessions/protocol";
import { expect } from "vitest";
import { eventually } from "../assertions/eventually.js";
import { user } from "./messages.js";
import { startWatching, type Watcher } from "./watcher.js";

/** A watcher of the whole store that has begun: it has seen a change of session "probe". */
export async function activeWatcher(store: SessionStore): Promise<Watcher> {
  const watcher = startWatching(store);
  await eventually(async () => {
    await store.addMessage("probe", user("are you there?"));
    expect(watcher.seen).not.toEqual([]);
  });
  return watcher;
}

/** The cursor of the last change of a watcher. */
export function lastCursor(watcher: Watcher): string {
  const last = watcher.seen.at(-1);
  if (last === undefined) throw new Error("the watcher has seen no change");
  return last.cursor;
}
