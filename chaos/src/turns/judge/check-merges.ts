import type { Finding } from "../../judge/finding.js";
import { readAnswer } from "./answer-text.js";
import type { History, SortedTurns } from "./sort-turns.js";

/**
 * With `merge` an update is covered by one answer, by whichever turn: also where a reset has destroyed both since. What is
 * archived is checked where it is stored.
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
