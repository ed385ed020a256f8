import { readLogs } from "../log/read-logs.js";
import { processName, type WorkerTask } from "../worker/worker-task.js";
import { sortTurns } from "./judge/sort-turns.js";
import type { Update } from "./update.js";

/** What the worker's last life had delivered and not heard of. */
export function unanswered({ logs, slot, life }: WorkerTask): readonly Update[] {
  const { calls } = sortTurns(readLogs(logs, `${processName({ slot, life: life - 1 })}.`));
  return calls
    .filter(({ replied, refused }) => replied === undefined && refused === undefined)
    .map(({ delivered }) => delivered.update);
}
