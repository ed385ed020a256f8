import { grouped } from "../../grouped.js";
import type { Finding } from "../../judge/finding.js";
import type { History, Settled, SortedTurns } from "./sort-turns.js";

/** An update ends without an answer only if something has ended its turn: a newer message, a reset. */
export function checkCauses(log: SortedTurns): Finding[] {
  const groups = grouped(log.histories.values(), ({ update }) => update.group);
  return [...groups.values()].flatMap((histories) =>
    histories.flatMap((history) => {
      const others = histories.filter((other) => other !== history);
      return [...interruptedByNobody(history, others), ...supersededWhileWaiting(log, history, histories)];
    }),
  );
}

/** Only an update that was not settled yet, when it was delivered, may stop another. */
function interruptedByNobody(history: History, others: readonly History[]): Finding[] {
  const told = history.settled.find(({ replied }) => replied.outcome === "interrupted");
  if (told === undefined || others.some((other) => isNewAt(other, told))) return [];
  return [finding(history, "was interrupted, and no other update came that was not settled before")];
}

function isNewAt({ calls, settled, update }: History, { replied }: Settled): boolean {
  const settledAt = settled[0]?.replied.at ?? Number.POSITIVE_INFINITY;
  return (
    !update.isReset && calls.some(({ delivered }) => delivered.at < replied.at && delivered.at < settledAt)
  );
}

/**
 * A reset supersedes what is being answered; what only waits is answered in the new conversation. So a turn of the
 * conversation has begun since the update came. Where a worker was killed, nobody knows whether one has.
 */
function supersededWhileWaiting(log: SortedTurns, history: History, all: readonly History[]): Finding[] {
  const told = history.settled.find(({ replied }) => replied.outcome === "superseded");
  if (told === undefined) return [];
  const numbers = new Set(all.map(({ update }) => update.number));
  const { firstAt } = history;
  const hasBegun = log.events.some(
    ({ type, update, at }) =>
      type === "begun" && numbers.has(update) && at >= firstAt && at <= told.replied.at,
  );
  const isUnknown = all.some(({ calls }) =>
    calls.some(
      ({ delivered, replied, refused }) =>
        (replied ?? refused) === undefined && delivered.at < told.replied.at,
    ),
  );
  return hasBegun || isUnknown
    ? []
    : [finding(history, "was superseded while it waited, and no turn had begun")];
}

function finding({ update }: History, what: string): Finding {
  return { kind: "outcome", session: update.group, detail: `update ${update.number} ${what}` };
}
