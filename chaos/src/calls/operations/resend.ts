import { sharedClock } from "@sessions/conformance/multi-process";
import { readLogs } from "../../log/read-logs.js";
import { processName } from "../../worker/worker-task.js";
import { appendWithId, type RepeatableAppend } from "./append.js";
import type { Operation, OperationContext } from "./operation-context.js";

/** Sends the appends again that the worker sent before its restart and that were not answered. */
export const resend: Operation = async (context) => {
  for (const sent of unanswered(context)) await appendWithId(context, sent);
};

function unanswered({ task }: OperationContext): readonly RepeatableAppend[] {
  const lines = readLogs(task.logs, `${processName({ slot: task.slot, generation: task.generation - 1 })}.`);
  const answered = new Set(
    lines.flatMap((line) => (line.type === "ok" || line.type === "fail" ? [line.call] : [])),
  );
  return lines.flatMap((line): readonly RepeatableAppend[] => {
    if (line.type !== "invoke" || line.action.kind !== "append" || answered.has(line.call)) return [];
    const { ids, commitId } = line.action;
    const ageMs = (sharedClock() - line.at) / 1000;
    return commitId === undefined ? [] : [{ session: line.session, ids, commitId, ageMs }];
  });
}
