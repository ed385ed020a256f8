import {
  Damage,
  type ExtendOperation,
  extendedMessage,
  frozen,
  type Message,
  type MessageDraft,
} from "@sessions/protocol/backend";
import type { StoredMessage } from "@sessions/row-engine";
import { checkedJson, parseChecked } from "./checked-text.js";

/** The part of a row that the caller of append.lua writes: `<checksum> <JSON>`. The script puts `<revision> <time> ` before it. */
export function rowBody(message: MessageDraft): string {
  return checkedJson(message);
}

export function rowText(message: Message, revision: number): string {
  return `${revision} ${message.createdAt} ${rowBody(message)}`;
}

/** An extension of a draft is a row of its own. */
export function extensionText(revision: number, op: ExtendOperation): string {
  return `${revision} ${checkedJson(op)}`;
}

/** Reads a row and the extensions of the draft in it. A message without a time has that of its row. */
export function readRow(text: string, extensions: readonly string[], location: string): StoredMessage {
  const revisionEnd = text.indexOf(" ");
  const timeEnd = text.indexOf(" ", revisionEnd + 1);
  const revision = Number(text.slice(0, revisionEnd));
  const at = Number(text.slice(revisionEnd + 1, timeEnd));
  if (revisionEnd < 1 || timeEnd < 0 || !Number.isSafeInteger(revision) || Number.isNaN(at))
    throw new Damage(location, "does not begin with a revision and a time");
  const draft = parseChecked<MessageDraft>(text.slice(timeEnd + 1), location);
  // Like `withCreatedAt`; but nobody else has this object, so it need not be copied.
  let message: Message = Object.assign(draft, { createdAt: draft.createdAt ?? at });
  for (const extension of extensions)
    message = extendedMessage(message, readExtension(extension, location), NO_SESSION);
  return { message: frozen(message), revision };
}

const NO_SESSION = { sessionId: "" };

function readExtension(text: string, location: string): ExtendOperation {
  return parseChecked<ExtendOperation>(text.slice(text.indexOf(" ") + 1), location);
}
