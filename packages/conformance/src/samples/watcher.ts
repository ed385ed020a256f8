import type { Change, SessionStore, WatchTarget } from "@sessions/protocol";

/** A watcher at work: what it has seen, and how it ended. */
export interface Watcher {
  readonly seen: readonly Change[];
  /** Ends it by its signal and waits until it has ended. */
  stop(): Promise<void>;
  /** Resolves when it ends by itself or by `stop`; rejects with what it failed with. */
  readonly ended: Promise<void>;
}

/** Watches in the background. */
export function startWatching(store: SessionStore, target: WatchTarget = {}): Watcher {
  const controller = new AbortController();
  const seen: Change[] = [];
  const ended = (async () => {
    for await (const change of store.watch({ ...target, signal: controller.signal })) seen.push(change);
  })();
  // Whoever cares awaits `ended`; for the others a failure must not be an unhandled one.
  ended.catch(() => undefined);
  const stop = (): Promise<void> => {
    controller.abort();
    return ended;
  };
  return { seen, stop, ended };
}
