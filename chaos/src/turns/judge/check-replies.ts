import type { Finding } from "../../judge/finding.js";
import type { Mode } from "../update.js";
import type { History, Settled, SortedTurns } from "./sort-turns.js";

const OUTCOMES: Readonly<Record<Mode, readonly string[]>> = {
  queue: ["answered", "superseded"],
  reject: ["answered", "superseded"],
  merge: ["answered", "merged", "superseded"],
  interrupt: ["answered", "interrupted", "superseded"],
  agent: ["answered"],
};

/** All deliveries of an update return the same reply, and later ones return it as a duplicate. */
export function checkReplies({ histories }: SortedTurns): Finding[] {
  return [...histories.values()].flatMap((history) => [
    ...differing(history),
    ...unmarked(history),
    ...disallowed(history),
  ]);
}

function differing({ update, settled }: History): Finding[] {
  const replies = new Set(settled.filter(isAnswer).map(({ replied }) => replied.reply));
  if (replies.size > 1)
    return [finding("doubled", update, `was answered twice: ${[...replies].join(" | ")}`)];
  // Where resets destroy, only the completed turn of an update stays known: one without an answer may be answered later.
  if (update.account === "destroys") return [];
  const outcomes = new Set(settled.map(({ replied }) => `${replied.outcome}, reply: ${replied.reply}`));
  return outcomes.size > 1
    ? [finding("outcome", update, `had several outcomes: ${[...outcomes].join(" | ")}`)]
    : [];
}

/** A delivery that begins after another one has returned the outcome returns it as a duplicate. */
function unmarked({ update, settled }: History): Finding[] {
  const final = settled.filter((one) => update.account === "archives" || isAnswer(one) || update.isReset);
  const firstAt = final[0]?.replied.at ?? Number.POSITIVE_INFINITY;
  return settled
    .filter(({ delivered, replied }) => delivered.at > firstAt && !replied.duplicate)
    .map(({ delivered }) =>
      finding("doubled", update, `delivered again by ${delivered.process}, is not marked as a duplicate`),
    );
}

function disallowed({ update, settled }: History): Finding[] {
  const allowed = update.isReset ? ["reset"] : OUTCOMES[update.mode];
  return settled
    .filter(({ replied }) => !allowed.includes(replied.outcome))
    .map(({ replied }) => finding("outcome", update, `ended as ${replied.outcome}, which its mode has not`));
}

function isAnswer({ replied }: Settled): boolean {
  return replied.outcome === "answered" && replied.reply !== undefined;
}

function finding(kind: Finding["kind"], { group, number }: History["update"], what: string): Finding {
  return { kind, session: group, detail: `update ${number} ${what}` };
}
