import type { Finding } from "../../judge/finding.js";
import type { Conversation, StoredMessage } from "../turn-line.js";
import { answerIn } from "./answer-text.js";
import type { SortedTurns } from "./sort-turns.js";

/** In every conversation each answer follows its own prompts, and all prompts are of those who share it. */
export function checkOrder({ conversations, histories }: SortedTurns): Finding[] {
  return conversations.flatMap((conversation) => {
    const groups = new Set(
      conversation.messages.flatMap(({ update }) =>
        update === undefined
          ? []
          : [histories.get(update)?.update.group ?? `update ${update}, which nobody sent`],
      ),
    );
    const strangers = groups.size > 1 ? [`it holds messages of ${[...groups].join(" and ")}`] : [];
    const details = [...strangers, ...misplacedAnswers(conversation), ...unansweredMarks(conversation)];
    return details.map((detail): Finding => ({ kind: "mixed", session: conversation.session, detail }));
  });
}

/** Each whole answer stands behind the prompt that it names, and belongs to the same turn. */
function misplacedAnswers({ messages }: Conversation): string[] {
  return messages.flatMap((message, index) => {
    const answer = answerIn(message);
    if (answer === undefined) return [];
    const at = messages.findLastIndex(({ update }, place) => update === answer.to && place < index);
    const prompt = messages[at];
    if (prompt === undefined) return [`"${message.text}" has no prompt before it`];
    if (prompt.turnId !== message.turnId)
      return [`"${message.text}" is of turn ${message.turnId}, not of its own`];
    const between = messages.slice(at + 1, index).filter((other) => isForeign(other, prompt));
    return between.length === 0
      ? []
      : [`"${between[0]?.text}" stands between update ${answer.to} and its answer`];
  });
}

/** An agent's prompt moves behind what others said meanwhile; in a bot's conversation what was said stays where it was. */
function isForeign({ turnId }: StoredMessage, prompt: StoredMessage): boolean {
  return prompt.mark === undefined && turnId !== prompt.turnId;
}

/** Each prompt that is marked as answered was seen by the model that answered it. */
function unansweredMarks({ messages }: Conversation): string[] {
  return messages.flatMap(({ update, mark }, index) => {
    if (update === undefined || mark?.outcome !== "answered") return [];
    const answers = messages.flatMap((message, place) =>
      place > index && message.turnId === mark.turnId && mark.replyIds.includes(message.id)
        ? (answerIn(message) ?? [])
        : [],
    );
    if (answers.length === 1 && answers[0]?.sees.includes(update) === true) return [];
    return [`update ${update} is marked as answered by turn ${mark.turnId}, which has not answered it`];
  });
}
