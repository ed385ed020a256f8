import type { Finding } from "../../judge/finding.js";
import { grouped } from "../../log/grouped.js";
import type { TurnEvent } from "../turn-line.js";
import type { Call, History, Settled, SortedTurns } from "./sort-turns.js";

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

/** Only an update that is delivered meanwhile, and that was not settled yet, may stop another. */
function interruptedByNobody(history: History, others: readonly History[]): Finding[] {
  const told = history.settled.find(({ replied }) => replied.outcome === "interrupted");
  if (told === undefined || others.some((other) => mayStop(other, history, told))) return [];
  return [finding(history, "was interrupted, and no other update came that was not settled before")];
}

function mayStop(other: History, { firstAt }: History, { replied }: Settled): boolean {
  if (other.update.isReset) return false;
  const settledAt =
    other.settled.find((call) => isFinal(other, call))?.replied.at ?? Number.POSITIVE_INFINITY;
  return other.calls.some((call) => {
    const { at } = call.delivered;
    return at < replied.at && at < settledAt && endOf(call) > firstAt;
  });
}

/** Where resets destroy, only what was answered is known afterwards. */
function isFinal({ update }: History, { replied }: Settled): boolean {
  return update.account === "archives" || replied.outcome === "answered";
}

/** When a call ended; nobody knows of one that was killed. */
function endOf({ replied, refused }: Call): number {
  return (replied ?? refused)?.at ?? Number.POSITIVE_INFINITY;
}

/**
 * A reset supersedes what is being answered; what only waits is answered in the new conversation. So a turn of the
 * conversation has begun since the update came. Where a worker was killed, nobody knows whether one has. Only with `merge` is a
 * prompt stored before its turn begins.
 */
function supersededWhileWaiting(log: SortedTurns, history: History, all: readonly History[]): Finding[] {
  const told = history.settled.find(({ replied }) => replied.outcome === "superseded");
  if (told === undefined || history.update.mode !== "merge") return [];
  const before = all.flatMap(({ calls }) => calls.filter(({ delivered }) => delivered.at < told.replied.at));
  const isUnknown = before.some((call) => endOf(call) === Number.POSITIVE_INFINITY);
  const begun = log.events.filter(({ type, at }) => type === "begun" && at >= history.firstAt);
  if (isUnknown || begun.some((event) => before.some((call) => hasRun(call, event, told)))) return [];
  return [finding(history, "was superseded while it waited, and no turn had begun")];
}

/**
 * Whether the turn of a call had begun before somebody was told of the reset. A worker that is paused between the begin and its
 * line in the log writes the line too late: then the turn was the one that was cut, so its caller got no answer.
 */
function hasRun(call: Call, begun: TurnEvent, told: Settled): boolean {
  const { delivered, replied } = call;
  const isItsOwn = delivered.process === begun.process && delivered.update.number === begun.update;
  if (!isItsOwn || begun.at < delivered.at || begun.at > endOf(call)) return false;
  return begun.at <= told.replied.at || replied?.outcome !== "answered";
}

function finding({ update }: History, what: string): Finding {
  return { kind: "outcome", session: update.group, detail: `update ${update.number} ${what}` };
}
