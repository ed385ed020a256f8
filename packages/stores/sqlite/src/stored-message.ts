import { type Message, type MessageDraft, timed } from "@sessions/protocol/backend";

/** A message as a row holds it. */
export interface StoredMessage {
  readonly message: Message;
  /** That added it. */
  readonly revision: number;
}

/** A message as it was given, and when. The message itself is made of it when somebody asks: an append need not wait for that. */
export interface AppendedMessage {
  readonly draft: MessageDraft;
  readonly at: number;
  readonly revision: number;
}

/** What its row holds. */
export function storedAs({ draft, at, revision }: AppendedMessage): StoredMessage {
  return { message: timed(draft, at), revision };
}

/** The JSON of `timed(draft, at)`, without making that. */
export function timedText(draft: MessageDraft, at: number): string {
  const text = JSON.stringify(draft);
  return draft.createdAt === undefined ? `${text.slice(0, -1)},"createdAt":${at}}` : text;
}

/** Where a message that was handed out or taken in stands: given back, it need not be written again. */
export interface Provenance {
  readonly row: number;
  readonly revision: number;
  /** Of the row's log. While that is the same, so is the row. */
  readonly layout: number;
}
