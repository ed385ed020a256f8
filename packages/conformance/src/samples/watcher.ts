import type { Change, SessionStore, WatchTarget } from "@sessions/protocol";

/** A watch in the background. */
export interface Watcher {
  readonly seen: readonly Change[];
  /** Aborts its signal and waits until it has ended. */
  stop(): Promise<void>;
  /** Settles when the watch ends. */
  readonly ended: Promise<void>;
}

/** Starts a watch in the background. */
export function startWatching(store: SessionStore, target: WatchTarget = {}): Watcher {
  const controller = new AbortController();
  const seen: Change[] = [];
  const ended = (async () => {
    for await (const change of store.watch({ ...target, signal: controller.signal })) seen.push(change);
  })();
  // Not every caller awaits `ended`: its rejection must not be an unhandled one.
  ended.catch(() => undefined);
  const stop = (): Promise<void> => {
    controller.abort();
    return ended;
  };
  return { seen, stop, ended };
}
