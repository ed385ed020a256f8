import type { Finding } from "../../judge/finding.js";
import { readAnswer } from "./answer-text.js";
import type { History, SortedTurns } from "./sort-turns.js";

/**
 * With `merge` one answer covers an update, in whichever turn. This checks the replies where resets destroy, because the stored
 * answers may be gone. Where resets archive, `checkStored` checks the stored answers.
 */
export function checkMerges({ histories }: SortedTurns): Finding[] {
  const merging = [...histories.values()].filter(
    ({ update }) => update.mode === "merge" && update.account === "destroys",
  );
  const covers = new Map<number, Set<string>>();
  for (const reply of merging.flatMap(answersTo))
    for (const update of readAnswer(reply)?.sees ?? [])
      covers.set(update, (covers.get(update) ?? new Set<string>()).add(reply));
  return merging.flatMap(({ update }) => {
    const answers = [...(covers.get(update.number) ?? [])];
    if (answers.length <= 1) return [];
    return [
      {
        kind: "doubled",
        session: update.group,
        detail: `update ${update.number} is covered by ${answers.length} answers: ${answers.join(" | ")}`,
      },
    ];
  });
}

function answersTo({ settled }: History): readonly string[] {
  return settled.flatMap(({ replied: { outcome, reply } }) =>
    outcome === "answered" && reply !== undefined ? [reply] : [],
  );
}
