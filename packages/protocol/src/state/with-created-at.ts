import { merged } from "../json/own-properties.js";
import type { Message, MessageDraft } from "../message/message.js";

/** A draft with a time: its own, or `createdAt`. A draft with a time is returned as the same object: stores cache its row. */
export function withCreatedAt(draft: MessageDraft, createdAt: number): Message {
  return hasTime(draft) ? draft : merged(draft, { createdAt });
}

/** The same as a new object, for callers. A change to it does not reach the session. */
export function copyWithCreatedAt(draft: MessageDraft, createdAt: number): Message {
  return merged(draft, { createdAt: draft.createdAt ?? createdAt });
}

function hasTime(draft: MessageDraft): draft is MessageDraft & Message {
  return draft.createdAt !== undefined;
}
