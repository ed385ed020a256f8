import { type Finding, unexpectedErrorFinding } from "../../judge/finding.js";
import { checkCauses } from "./check-causes.js";
import { checkMerges } from "./check-merges.js";
import { checkOrder } from "./check-order.js";
import { checkReplies } from "./check-replies.js";
import { checkSettled } from "./check-settled.js";
import { checkStored } from "./check-stored.js";
import { checkUsage } from "./check-usage.js";
import type { SortedTurns } from "./sort-turns.js";

/** Finds everything in a log of bots or agents that contradicts their guarantees. */
export function judgeTurns(log: SortedTurns): Finding[] {
  return [
    ...checkReplies(log),
    ...checkStored(log),
    ...checkOrder(log),
    ...checkUsage(log),
    ...checkMerges(log),
    ...checkSettled(log),
    ...checkCauses(log),
    ...log.unexpectedErrors.map(unexpectedErrorFinding),
  ];
}
