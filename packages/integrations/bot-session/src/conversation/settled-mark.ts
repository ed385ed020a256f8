import { extend, type Message, type OperationInput, update } from "@sessions/protocol";
import { isFields, isPrompt } from "@sessions/turn-runner";

/** The outcome of an update, stored in the metadata of its message: it lasts as long as the session, archived or not. */
export interface SettledMark {
  readonly outcome: "answered" | "interrupted" | "superseded" | "reset";
  /** The turn that answered it: its own, or the one that it was merged into. */
  readonly turnId: string;
  readonly replyIds: readonly string[];
}

const SETTLED_KEY = "bot.settled";
const SENT_KEY = "bot.sent";
const ERASED_KEY = "bot.destroyed";

/** Marks a live message as settled. */
export function settle(messageId: string, mark: SettledMark): OperationInput {
  return extend(messageId, { metadata: settledMetadata(mark) });
}

/** Erases the content of a live message. Its id and its mark stay, so that the message is recognized when it comes again. */
export function erase(
  { id, role, createdAt, metadata = {} }: Message,
  mark: SettledMark | undefined,
): OperationInput {
  const { turnId, prompt, mirrored } = metadata;
  const settled = mark === undefined ? {} : settledMetadata(mark);
  const kept = { turnId, prompt, mirrored, ...settled, [SENT_KEY]: metadata[SENT_KEY], [ERASED_KEY]: true };
  return update({ id, role, content: "", createdAt, metadata: kept });
}

/** Marks a live, settled message: the platform has confirmed its reply. */
export function markSent(messageId: string): OperationInput {
  return extend(messageId, { metadata: { [SENT_KEY]: true } });
}

export function isMarkedSent({ metadata }: Message): boolean {
  return metadata?.[SENT_KEY] === true;
}

/** Whether a message is a prompt without an outcome. */
export function isUnsettled(message: Message): boolean {
  return isPrompt(message) && settledMark(message) === undefined;
}

/**
 * Whether a message must be recognized if it is delivered again: a settled prompt, or a message that was recorded or mirrored. An
 * unsettled prompt need not be: delivered again, it is answered.
 */
export function mustStayKnown(message: Message): boolean {
  if (isPrompt(message)) return settledMark(message) !== undefined;
  return message.role === "user" || message.metadata?.["mirrored"] === true;
}

export function isErased({ metadata }: Message): boolean {
  return metadata?.[ERASED_KEY] === true;
}

export function settledMetadata(mark: SettledMark): object {
  return { [SETTLED_KEY]: { ...mark } };
}

/** The mark of a message; `undefined` if it is not settled. */
export function settledMark(message: Message): SettledMark | undefined {
  const mark = message.metadata?.[SETTLED_KEY];
  return isMark(mark) ? mark : undefined;
}

function isMark(value: unknown): value is SettledMark {
  return (
    isFields(value) &&
    typeof value["outcome"] === "string" &&
    typeof value["turnId"] === "string" &&
    Array.isArray(value["replyIds"])
  );
}
