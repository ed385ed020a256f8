import { pairCalls } from "./call.js";
import type { HistoryEvent, Violation } from "./history-event.js";
import { checkOrder } from "./order-checks.js";
import { checkPresence } from "./presence-checks.js";
import { checkRevisions } from "./revision-checks.js";
import { checkTurns } from "./turn-checks.js";

/**
 * Checks a log of calls, made by any number of processes, against the contract. No violation means: no acknowledged
 * message was lost, none was duplicated or made up, all readers saw one order, reads were fresh, revisions only rose,
 * and one turn ran at a time.
 *
 * The time is O(n log n) in the length of the log, so that logs of long runs can be checked as a whole.
 *
 * @example
 * ```ts
 * const violations = checkHistory([
 *   { type: "invoke", process: "p1", call: 1, at: 10, session: "s", action: { kind: "append", ids: ["m1"] } },
 *   { type: "ok", process: "p1", call: 1, at: 20, result: { revision: 1 } },
 *   { type: "invoke", process: "p2", call: 1, at: 30, session: "s", action: { kind: "read" } },
 *   { type: "ok", process: "p2", call: 1, at: 40, result: { revision: 1, ids: [] } },
 * ]);
 * console.log(violations); // message "m1" is lost
 * ```
 */
export function checkHistory(log: readonly HistoryEvent[]): Violation[] {
  const { sessions, malformed } = pairCalls(log);
  const violations = [...malformed];
  for (const [session, calls] of sessions) {
    violations.push(...checkRevisions(session, calls), ...checkPresence(session, calls));
    violations.push(...checkOrder(session, calls), ...checkTurns(session, calls));
  }
  return violations;
}
