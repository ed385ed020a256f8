import type { Finding } from "../../judge/finding.js";
import { grouped } from "../../log/grouped.js";
import type { TurnEvent } from "../turn-line.js";
import type { Call, History, Settled, SortedTurns } from "./sort-turns.js";

/** An update ends without an answer only if a newer message or a reset has ended its turn. */
export function checkCauses(log: SortedTurns): Finding[] {
  const groups = grouped(log.histories.values(), ({ update }) => update.group);
  return [...groups.values()].flatMap((histories) =>
    histories.flatMap((history) => {
      const others = histories.filter((other) => other !== history);
      return [
        ...interruptedWithoutCause(history, others),
        ...supersededWhileWaiting(log, history, histories),
      ];
    }),
  );
}

/** Only an update may stop another that is delivered meanwhile and is not settled yet. */
function interruptedWithoutCause(history: History, others: readonly History[]): Finding[] {
  const call = history.settled.find(({ replied }) => replied.outcome === "interrupted");
  if (call === undefined || others.some((other) => mayStop(other, history, call))) return [];
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

/** Where a reset destroys the conversation, only an answer stays known: other outcomes are decided again. */
function isFinal({ update }: History, { replied }: Settled): boolean {
  return update.account === "archives" || replied.outcome === "answered";
}

/** When a call ended. Infinity if its process was killed, because its end is unknown. */
function endOf({ replied, refused }: Call): number {
  return (replied ?? refused)?.at ?? Number.POSITIVE_INFINITY;
}

/**
 * A reset supersedes only an update whose turn has begun: an update that waits is answered in the new conversation. If a worker
 * was killed, it is unknown whether a turn had begun. Only with `merge` is a prompt stored before its turn begins.
 */
function supersededWhileWaiting(log: SortedTurns, history: History, all: readonly History[]): Finding[] {
  const call = history.settled.find(({ replied }) => replied.outcome === "superseded");
  if (call === undefined || history.update.mode !== "merge") return [];
  const before = all.flatMap(({ calls }) => calls.filter(({ delivered }) => delivered.at < call.replied.at));
  const isUnknown = before.some((other) => endOf(other) === Number.POSITIVE_INFINITY);
  const begun = log.events.filter(({ type, at }) => type === "begun" && at >= history.firstAt);
  if (isUnknown || begun.some((event) => before.some((other) => hasRun(other, event, call)))) return [];
  return [finding(history, "was superseded while it waited, and no turn had begun")];
}

/**
 * Whether the turn of a call had begun before the superseded call returned. A worker that is paused between a begin and its log
 * line writes the line late. Then its turn is the one that the reset ended, so its caller got no answer.
 */
function hasRun(call: Call, begun: TurnEvent, superseded: Settled): boolean {
  const { delivered, replied } = call;
  const isOfCall = delivered.process === begun.process && delivered.update.number === begun.update;
  if (!isOfCall || begun.at < delivered.at || begun.at > endOf(call)) return false;
  return begun.at <= superseded.replied.at || replied?.outcome !== "answered";
}

function finding({ update }: History, what: string): Finding {
  return { kind: "outcome", session: update.group, detail: `update ${update.number} ${what}` };
}
