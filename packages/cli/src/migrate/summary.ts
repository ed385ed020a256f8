import { counted } from "../render/counted.js";
import type { Outcome } from "./tally.js";

/** One line whose numbers add up to that of the sessions. */
export function summaryOf(outcome: Outcome, dryRun: boolean): string {
  const { sessions, copied, updated, same, gone, followed, conflicts, damaged } = outcome;
  const numbers = [
    `${copied} ${dryRun ? "to copy" : "copied"}`,
    `${updated} ${dryRun ? "to update" : "updated"}`,
    `${same} there already`,
    ...(conflicts.length > 0 ? [`${conflicts.length} not overwritten`] : []),
    ...(damaged.length > 0 ? [`${damaged.length} damaged`] : []),
    ...(gone > 0 ? [`${gone} deleted meanwhile`] : []),
  ];
  const changes = followed > 0 ? ` Then ${counted(followed, "change")} copied.` : "";
  return `${counted(sessions, "session")}: ${numbers.join(", ")}.${changes}`;
}
