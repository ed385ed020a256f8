import { checkHistory, type HistoryEvent } from "@sessions/conformance/multi-process";
import type { FinalState, Listing, LogLine, ReceivedChange, UnexpectedError } from "../log/log-line.js";
import { checkFeedsCaughtUp } from "./check-feeds-caught-up.js";
import { checkFinalState } from "./check-final-state.js";
import { checkListings } from "./check-listings.js";
import { type Finding, unexpectedErrorFinding } from "./finding.js";

/** The lines of a log, sorted by kind. */
export interface SortedLog {
  readonly history: readonly HistoryEvent[];
  readonly listings: readonly Listing[];
  readonly feeds: readonly ReceivedChange[];
  readonly finalStates: readonly FinalState[];
  readonly unexpectedErrors: readonly UnexpectedError[];
}

export function sortLog(lines: readonly LogLine[]): SortedLog {
  const history: HistoryEvent[] = [];
  const listings: Listing[] = [];
  const feeds: ReceivedChange[] = [];
  const finalStates: FinalState[] = [];
  const unexpectedErrors: UnexpectedError[] = [];
  for (const line of lines) {
    if (line.type === "listed") listings.push(line);
    else if (line.type === "change-received") feeds.push(line);
    else if (line.type === "final-state") finalStates.push(line);
    else if (line.type === "unexpected-error") unexpectedErrors.push(line);
    else if (isHistory(line)) history.push(line);
  }
  return { history, listings, feeds, finalStates, unexpectedErrors };
}

function isHistory(line: LogLine): line is HistoryEvent {
  return line.type === "invoke" || line.type === "ok" || line.type === "fail" || line.type === "unknown";
}

/** Finds everything in a log that contradicts the contract. */
export function judge({ history, listings, feeds, finalStates, unexpectedErrors }: SortedLog): Finding[] {
  return [
    ...checkHistory(history),
    ...checkListings(history, listings),
    ...checkFeedsCaughtUp(history, feeds, finalStates),
    ...checkFinalState(history, finalStates),
    ...unexpectedErrors.map(unexpectedErrorFinding),
  ];
}
