import { taskLogs } from "./task-log.mjs";

/** The output of each failed task under its name, for the end of a run, where it is seen. */
export function failureLog(outcomes) {
  const failed = outcomes.filter((outcome) => !outcome.ok && !outcome.skipped);
  return taskLogs(failed, (name) => `${name} failed`);
}
