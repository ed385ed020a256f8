import { type MissedLastChange, missedLastChanges } from "../judge/check-feeds-caught-up.js";
import type { SortedLog } from "../judge/judge.js";
import type { LogLine } from "../log/log-line.js";
import { FeedFollower, type FollowerOptions } from "./feed-follower.js";

/** Any store reads everything once in less. */
const DEADLINE_MS = 8_000;

/**
 * Resumes every watcher that misses changes, and logs what it receives until nothing is missing or the deadline has
 * passed. A watcher that was killed in the middle of a feed gets the rest here.
 */
export async function resumeWatchers(
  { history, feeds }: SortedLog,
  final: ReadonlyMap<string, number>,
  options: Omit<FollowerOptions, "watcher">,
): Promise<void> {
  const missing = new Map<number, Set<string>>();
  for (const { watcher, session } of missedLastChanges(history, feeds, final))
    add(missing, { watcher, session });
  await Promise.all([...missing].map(([watcher, sessions]) => resumeOne(watcher, sessions, final, options)));
}

async function resumeOne(
  watcher: number,
  missing: Set<string>,
  final: ReadonlyMap<string, number>,
  options: Omit<FollowerOptions, "watcher">,
): Promise<void> {
  const write = (line: LogLine): void => {
    options.write(line);
    if (line.type !== "change-received" || line.revision < (final.get(line.session) ?? 0)) return;
    missing.delete(line.session);
    if (missing.size === 0) follower.stop();
  };
  const follower = new FeedFollower({ ...options, watcher, write });
  const deadline = setTimeout(() => follower.stop(), DEADLINE_MS);
  await follower.run();
  clearTimeout(deadline);
}

function add(missing: Map<number, Set<string>>, { watcher, session }: MissedLastChange): void {
  const sessions = missing.get(watcher) ?? new Set<string>();
  missing.set(watcher, sessions.add(session));
}
