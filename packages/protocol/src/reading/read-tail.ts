import type { MessageRange } from "../backend/selection.js";
import type { SessionRecord } from "../backend/session-record.js";
import type { StoreContext } from "../context/store-context.js";
import type { Message } from "../message/message.js";

/** The newest messages of a range. */
export interface Tail {
  readonly record: SessionRecord;
  readonly messages: readonly Message[];
  /** Whether these are all messages of the range. */
  readonly whole: boolean;
}

/** Which messages to read. */
export interface TailQuery {
  readonly range?: MessageRange;
  /** How many messages are read at first. */
  readonly firstSize: number;
  /** Whether their revisions are read too. @default false */
  readonly revisions?: boolean;
}

/** Reads the newest messages of a range. Reads more and more of them until `enough` returns true or there are no more. */
export async function readTail(
  context: StoreContext,
  sessionId: string,
  { range, firstSize, revisions = false }: TailQuery,
  enough: (tail: Tail) => boolean,
): Promise<Tail | undefined> {
  for (let last = firstSize; ; last *= 4) {
    const record = await context.backend.read(sessionId, { messages: { ...range, last }, revisions });
    if (record === undefined) return undefined;
    const tail = { record, messages: record.messages, whole: record.messages.length < last };
    if (tail.whole || enough(tail)) return tail;
  }
}
