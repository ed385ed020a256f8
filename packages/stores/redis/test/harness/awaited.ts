import type { Passing } from "redis-servers";

/** Whether a caller waits for it: not what a connection begins with, nor the polls of the feed, which go on beside a turn. */
export function isAwaited({ command: [word = "", , , ...keys] }: Pick<Passing, "command">): boolean {
  const isPoll = keys.some((key) => key.endsWith(":tombstones")) && !keys.some((key) => /:record:/.test(key));
  return /^eval/i.test(word) && !isPoll;
}
