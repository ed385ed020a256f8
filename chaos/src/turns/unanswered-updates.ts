import { readLogs } from "../log/read-logs.js";
import { processName, type WorkerTask } from "../worker/worker-task.js";
import { sortTurns } from "./judge/sort-turns.js";
import type { Update } from "./update.js";

/** The updates that the worker delivered before its restart and that were not answered. */
export function unansweredUpdates({ logs, slot, generation }: WorkerTask): readonly Update[] {
  const { calls } = sortTurns(readLogs(logs, `${processName({ slot, generation: generation - 1 })}.`));
  return calls
    .filter(({ replied, refused }) => replied === undefined && refused === undefined)
    .map(({ delivered }) => delivered.update);
}
