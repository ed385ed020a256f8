import type { Finding } from "../../judge/finding.js";
import type { Conversation, StoredMessage } from "../turn-line.js";
import { answerIn } from "./answer-text.js";
import type { SortedTurns } from "./sort-turns.js";

/** In every conversation each answer follows its prompts, and all prompts are of the group that shares the conversation. */
export function checkOrder({ conversations, histories }: SortedTurns): Finding[] {
  return conversations.flatMap((conversation) => {
    const groups = new Set(
      conversation.messages.flatMap(({ update }) =>
        update === undefined
          ? []
          : [histories.get(update)?.update.group ?? `update ${update}, which was not sent`],
      ),
    );
    const foreign = groups.size > 1 ? [`it holds messages of ${[...groups].join(" and ")}`] : [];
    const details = [...foreign, ...misplacedAnswers(conversation), ...unansweredMarks(conversation)];
    return details.map((detail): Finding => ({ kind: "mixed", session: conversation.session, detail }));
  });
}

/** Each complete answer follows the prompt that it names, and belongs to the same turn. */
function misplacedAnswers({ messages }: Conversation): string[] {
  return messages.flatMap((message, index) => {
    const answer = answerIn(message);
    if (answer === undefined) return [];
    const promptIndex = messages.findLastIndex(({ update }, at) => update === answer.to && at < index);
    const prompt = messages[promptIndex];
    if (prompt === undefined) return [`"${message.text}" has no prompt before it`];
    if (prompt.turnId !== message.turnId)
      return [`"${message.text}" is of turn ${message.turnId}, not of its own`];
    const between = messages.slice(promptIndex + 1, index).filter((other) => isForeign(other, prompt));
    return between.length === 0
      ? []
      : [`"${between[0]?.text}" stands between update ${answer.to} and its answer`];
  });
}

/** The retry of an agent moves its prompt behind messages of other turns. Messages of a bot are never moved. */
function isForeign({ turnId }: StoredMessage, prompt: StoredMessage): boolean {
  return prompt.mark === undefined && turnId !== prompt.turnId;
}

/** A prompt is marked as answered only if the model saw it when it gave that answer. */
function unansweredMarks({ messages }: Conversation): string[] {
  return messages.flatMap(({ update, mark }, index) => {
    if (update === undefined || mark?.outcome !== "answered") return [];
    const answers = messages.flatMap((message, at) =>
      at > index && message.turnId === mark.turnId && mark.replyIds.includes(message.id)
        ? (answerIn(message) ?? [])
        : [],
    );
    if (answers.length === 1 && answers[0]?.sees.includes(update) === true) return [];
    return [`update ${update} is marked as answered by turn ${mark.turnId}, which has not answered it`];
  });
}
