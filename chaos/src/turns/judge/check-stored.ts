import type { Finding } from "../../judge/finding.js";
import { grouped } from "../../log/grouped.js";
import type { Conversation, StoredMessage } from "../turn-line.js";
import { answerIn } from "./answer-text.js";
import type { History, SortedTurns } from "./sort-turns.js";

/** A message and its conversation. */
interface MessageInSession {
  readonly session: string;
  readonly message: StoredMessage;
}

/** Every update is stored once and answered once, and every reply that a caller got is stored. */
export function checkStored(log: SortedTurns): Finding[] {
  const stored = log.conversations.flatMap(({ session, messages }) =>
    messages.map((message): MessageInSession => ({ session, message })),
  );
  const prompts = grouped(stored, ({ message }) => message.update);
  const answers = grouped(stored, ({ message }) => answerIn(message)?.to);
  const texts = new Set(stored.map(({ session, message }) => `${session}\n${message.text}`));
  return [...log.histories.values()].flatMap((history) => {
    const { number } = history.update;
    const own = prompts.get(number) ?? [];
    return [
      ...doubledPrompt(history, own),
      ...doubledAnswer(history, answers.get(number) ?? []),
      ...lostReplies(log, history, texts),
      ...lostPrompt(history, own),
    ];
  });
}

/**
 * A prompt may be stored twice: one that was archived without an answer is stored again under a new id, and one that was cut off
 * before its user was linked stays in the old conversation. But only one has an outcome, and only one is live in a conversation.
 */
function doubledPrompt({ update }: History, own: readonly MessageInSession[]): Finding[] {
  const settled = own.filter(({ message }) => message.mark !== undefined);
  const live = grouped(
    own.filter(({ message }) => message.isLive || update.mode === "agent"),
    ({ session }) => session,
  );
  const most = Math.max(settled.length, ...[...live.values()].map(({ length }) => length));
  if (most <= 1) return [];
  return [
    finding("doubled", own[0]?.session, `the prompt of update ${update.number} is there ${most} times`),
  ];
}

function doubledAnswer({ update }: History, own: readonly MessageInSession[]): Finding[] {
  if (own.length <= 1) return [];
  const texts = own.map(({ message }) => message.text).join(" | ");
  return [finding("doubled", own[0]?.session, `update ${update.number} has ${own.length} answers: ${texts}`)];
}

function lostReplies(log: SortedTurns, history: History, texts: ReadonlySet<string>): Finding[] {
  return history.settled
    .filter(({ replied }) => replied.outcome !== "reset" && replied.reply !== undefined)
    .filter(({ replied }) => !texts.has(`${replied.session}\n${replied.reply}`))
    .filter(() => !mayBeDestroyed(log, history))
    .map(({ replied, delivered }) =>
      finding(
        "lost",
        replied.session,
        `the reply to update ${history.update.number} that ${delivered.process} got is not stored: ${replied.reply}`,
      ),
    );
}

/** Whether a reset that destroys may have come after the update. */
function mayBeDestroyed({ histories }: SortedTurns, { update, firstAt }: History): boolean {
  if (update.account === "archives") return false;
  return [...histories.values()].some(
    ({ update: other, settled }) =>
      other.isReset &&
      other.group === update.group &&
      (settled[0]?.replied.at ?? Number.POSITIVE_INFINITY) > firstAt,
  );
}

/** The prompt of an update has the outcome that callers got. */
function lostPrompt({ update, settled }: History, own: readonly MessageInSession[]): Finding[] {
  const [first] = settled;
  if (first === undefined || (update.account === "destroys" && !update.isReset)) return [];
  const outcome = first.replied.outcome === "merged" ? "answered" : first.replied.outcome;
  const isStored = own.some(({ message }) => update.mode === "agent" || message.mark?.outcome === outcome);
  if (isStored) return [];
  const { session } = first.replied;
  return [finding("lost", session, `update ${update.number} was ${outcome}, and no prompt says so`)];
}

function finding(kind: Finding["kind"], session: Conversation["session"] = "", detail: string): Finding {
  return { kind, session, detail };
}
