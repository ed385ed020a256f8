import type { Finding } from "../../judge/finding.js";
import { grouped } from "../../log/grouped.js";
import { USAGE } from "../scripted-model.js";
import type { Conversation, TurnEvent } from "../turn-line.js";
import { answerIn } from "./answer-text.js";
import type { SortedTurns } from "./sort-turns.js";

/**
 * Counters match the stored answers. The tokens of a turn that was cut off count as well, so there may be more tokens than those
 * of the answers, but never more than the models have reported.
 */
export function checkUsage({ conversations, histories, events }: SortedTurns): Finding[] {
  const groupOf = (update: number | undefined): string | undefined =>
    histories.get(update ?? -1)?.update.group;
  const spent = grouped(
    events.filter(({ type }) => type === "spent"),
    ({ update }) => groupOf(update),
  );
  return conversations.flatMap((conversation) => {
    const first = conversation.messages.find(({ update }) => update !== undefined)?.update;
    const update = histories.get(first ?? -1)?.update;
    if (update === undefined) return [];
    const isExact = update.account === "archives";
    return miscounted(conversation, spent.get(update.group) ?? [], isExact).map(
      (detail): Finding => ({ kind: "usage", session: conversation.session, detail }),
    );
  });
}

function miscounted(
  { messages, counters }: Conversation,
  spent: readonly TurnEvent[],
  isExact: boolean,
): string[] {
  const answers = messages.filter((message) => answerIn(message) !== undefined).length;
  const turns = counters["turns"] ?? 0;
  const isWrong = isExact ? turns !== answers : turns < answers || turns > spent.length;
  const tokens = Object.entries(USAGE).filter(([name, each]) => {
    const count = counters[name] ?? 0;
    return count < turns * each || count > spent.length * each || count % each !== 0;
  });
  return [
    ...(isWrong ? [`${turns} turns are counted, and ${answers} answers are stored`] : []),
    ...tokens.map(
      ([name]) =>
        `${counters[name]} ${name} are counted, in ${turns} turns; models have reported ${spent.length}`,
    ),
  ];
}
