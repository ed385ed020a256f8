import { checkHistory, type HistoryEvent } from "@sessions/conformance/multi-process";
import type { Audited, Fed, Listed, LogLine, Surprise } from "../log/log-line.js";
import { checkAudit } from "./check-audit.js";
import { checkFeedsCaughtUp } from "./check-feeds-caught-up.js";
import { checkListings } from "./check-listings.js";
import { type Finding, surprising } from "./finding.js";

/** The lines of a log, sorted by kind. */
export interface SortedLog {
  readonly history: readonly HistoryEvent[];
  readonly listings: readonly Listed[];
  readonly feeds: readonly Fed[];
  readonly audited: readonly Audited[];
  readonly surprises: readonly Surprise[];
}

export function sortLog(lines: readonly LogLine[]): SortedLog {
  const history: HistoryEvent[] = [];
  const listings: Listed[] = [];
  const feeds: Fed[] = [];
  const audited: Audited[] = [];
  const surprises: Surprise[] = [];
  for (const line of lines) {
    if (line.type === "listed") listings.push(line);
    else if (line.type === "fed") feeds.push(line);
    else if (line.type === "audited") audited.push(line);
    else if (line.type === "surprise") surprises.push(line);
    else if (isHistory(line)) history.push(line);
  }
  return { history, listings, feeds, audited, surprises };
}

function isHistory(line: LogLine): line is HistoryEvent {
  return line.type === "invoke" || line.type === "ok" || line.type === "fail" || line.type === "unknown";
}

/** Everything in a log that contradicts the contract. */
export function judge({ history, listings, feeds, audited, surprises }: SortedLog): Finding[] {
  return [
    ...checkHistory(history),
    ...checkListings(history, listings),
    ...checkFeedsCaughtUp(history, feeds, audited),
    ...checkAudit(history, audited),
    ...surprises.map(surprising),
  ];
}
