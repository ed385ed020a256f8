import { extend, type Message, type OperationInput, update } from "@sessions/protocol";
import { isFields, isPrompt } from "@sessions/turn-runner";

/** What became of an update, noted on its own message: it holds for as long as the session does, archived or not. */
export interface PromptMark {
  readonly outcome: "answered" | "interrupted" | "superseded" | "reset";
  /** The turn that answered it: its own, or the one that it was merged into. */
  readonly turnId: string;
  readonly replyIds: readonly string[];
}

const MARK_KEY = "bot.settled";
const DESTROYED_KEY = "bot.destroyed";

/** Notes on a live message what became of it. */
export function settles(messageId: string, mark: PromptMark): OperationInput {
  return extend(messageId, { metadata: markMetadata(mark) });
}

/**
 * Takes what a live message says away, and keeps its id and what became of it: its caller, and whoever delivers it again, must
 * know.
 */
export function destroys(
  { id, role, createdAt, metadata = {} }: Message,
  mark: PromptMark | undefined,
): OperationInput {
  const { turnId, prompt, mirrored } = metadata;
  const marked = mark === undefined ? {} : markMetadata(mark);
  const kept = { turnId, prompt, mirrored, ...marked, [DESTROYED_KEY]: true };
  return update({ id, role, content: "", createdAt, metadata: kept });
}

/** Whether a message is a question that still waits for an answer. */
export function isOpen(message: Message): boolean {
  return isPrompt(message) && markOf(message) === undefined;
}

/**
 * Whether a message may be delivered again and must not have any effect then: a question that was dealt with, or something
 * recorded or mirrored. A question that waits for an answer is not one of these.
 */
export function isDealtWith(message: Message): boolean {
  if (isPrompt(message)) return markOf(message) !== undefined;
  return message.role === "user" || message.metadata?.["mirrored"] === true;
}

/** Whether nobody can tell any more what a message said. */
export function isDestroyed({ metadata }: Message): boolean {
  return metadata?.[DESTROYED_KEY] === true;
}

export function markMetadata(mark: PromptMark): object {
  return { [MARK_KEY]: { ...mark } };
}

/** What is noted on a message; `undefined` if it still waits for an answer. */
export function markOf(message: Message): PromptMark | undefined {
  const mark = message.metadata?.[MARK_KEY];
  return isMark(mark) ? mark : undefined;
}

function isMark(value: unknown): value is PromptMark {
  return (
    isFields(value) &&
    typeof value["outcome"] === "string" &&
    typeof value["turnId"] === "string" &&
    Array.isArray(value["replyIds"])
  );
}
