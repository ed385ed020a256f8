import {
  Damage,
  type ExtendOperation,
  extendedMessage,
  frozen,
  type Message,
  type MessageDraft,
  withCreatedAt,
} from "@sessions/protocol/backend";
import { checkedJson, parseChecked } from "./checked-text.js";

/** A message as a row holds it. */
export interface StoredMessage {
  readonly message: Message;
  /** That added it. */
  readonly revision: number;
}

/** The part of a row that the caller writes: `<checksum> <JSON>`. The script puts `<revision> <time> ` before it. */
export function rowBody(message: MessageDraft): string {
  return checkedJson(message);
}

/** A whole row. */
export function rowText(message: Message, revision: number, at: number): string {
  return `${revision} ${at} ${rowBody(message)}`;
}

/** What a row grows by while its message is being written: a line of its own. */
export function extensionLine(extension: ExtendOperation): string {
  return checkedJson(extension);
}

/** What a row will be read as, for who has written it. */
export function storedMessage(draft: MessageDraft, revision: number, at: number): StoredMessage {
  return { message: frozen(withCreatedAt(draft, at)), revision };
}

/** Reads a row: the message, and the lines that it has grown by. JSON has no line breaks of its own. */
export function parseRow(text: string, location: string): StoredMessage {
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  const revisionEnd = first.indexOf(" ");
  const timeEnd = first.indexOf(" ", revisionEnd + 1);
  const revision = Number(first.slice(0, revisionEnd));
  const at = Number(first.slice(revisionEnd + 1, timeEnd));
  if (revisionEnd < 1 || timeEnd < 0 || !Number.isSafeInteger(revision) || Number.isNaN(at))
    throw new Damage(location, "does not begin with a revision and a time");
  const draft = parseChecked<MessageDraft>(first.slice(timeEnd + 1), location);
  // Like `withCreatedAt`; but nobody else has this object, so it need not be copied.
  let message: Message = Object.assign(draft, { createdAt: draft.createdAt ?? at });
  if (end >= 0)
    for (const line of text.slice(end + 1).split("\n"))
      message = extendedMessage(message, parseChecked<ExtendOperation>(line, location), { sessionId: "" });
  return { message: frozen(message), revision };
}
