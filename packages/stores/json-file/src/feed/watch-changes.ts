import type { Change, WatchTarget } from "@sessions/protocol";
import { type ChangeSource, Watcher } from "./watcher.js";

/**
 * Changes of one session or of all, by any process. A notice says where to look; a change without a notice is found by
 * polling.
 */
export async function* watchChanges(
  target: WatchTarget,
  signal: AbortSignal,
  source: ChangeSource,
): AsyncGenerator<Change> {
  const watcher = new Watcher(target, source);
  // Listens before it looks for the first time, so that no change falls in between.
  const stop = watcher.listen();
  try {
    let changed = await watcher.first(signal);
    while (!signal.aborted) {
      for (const change of watcher.deliver(changed)) {
        yield change;
        if (signal.aborted) return;
      }
      changed = await watcher.next(signal);
    }
  } finally {
    stop();
  }
}
