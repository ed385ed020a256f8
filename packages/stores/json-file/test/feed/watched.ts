import type { Change, SessionStore, WatchTarget } from "../../src/index.js";

/** A watcher in the background, and what it got. */
export interface Watched {
  readonly changes: readonly Change[];
  /** The last revision that it got of each session. */
  last(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export function watched(store: SessionStore, target: WatchTarget = {}): Watched {
  const controller = new AbortController();
  const changes: Change[] = [];
  const ended = (async () => {
    for await (const change of store.watch({ ...target, signal: controller.signal })) changes.push(change);
  })();
  // Whoever cares awaits `stop`; a test that has failed before must not fail twice.
  ended.catch(() => undefined);
  return {
    changes,
    last: () => new Map(changes.map(({ sessionId, revision }) => [sessionId, revision])),
    stop: () => {
      controller.abort();
      return ended;
    },
  };
}
