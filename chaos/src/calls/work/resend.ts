import { sharedClock } from "@sessions/conformance/multi-process";
import { readLogs } from "../../log/read-logs.js";
import { processName } from "../../worker/worker-task.js";
import { type Once, sendOnce } from "./append.js";
import type { Work, WorkContext } from "./work-context.js";

/** Sends again what the worker's last life had sent and not heard of. */
export const resend: Work = async (place) => {
  for (const once of unanswered(place)) await sendOnce(place, once);
};

function unanswered({ task }: WorkContext): readonly Once[] {
  const lines = readLogs(task.logs, `${processName({ slot: task.slot, life: task.life - 1 })}.`);
  const answered = new Set(
    lines.flatMap((line) => (line.type === "ok" || line.type === "fail" ? [line.call] : [])),
  );
  return lines.flatMap((line): readonly Once[] => {
    if (line.type !== "invoke" || line.action.kind !== "append" || answered.has(line.call)) return [];
    const { ids, commitId } = line.action;
    const ageMs = (sharedClock() - line.at) / 1000;
    return commitId === undefined ? [] : [{ session: line.session, ids, commitId, ageMs }];
  });
}
