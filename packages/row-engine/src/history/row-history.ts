import type { History, Message } from "@sessions/protocol/backend";
import type { HistorySource } from "./history-source.js";
import { type ReplacedMessage, RowMessages } from "./row-messages.js";
import { RowRevisions } from "./row-revisions.js";

/** A history whose messages are stored. Operations read what they need of it; what they change is kept beside it. */
export function rowHistory(
  source: HistorySource,
  { liveFrom, archives, partials }: Pick<History, "liveFrom" | "archives" | "partials">,
): History {
  return {
    messages: new RowMessages(source),
    revisions: new RowRevisions(source),
    liveFrom,
    archives,
    partials,
  };
}

/** What of a history is stored, and what is not stored yet. */
export interface HistoryChanges {
  /** Absent where nothing of the history is stored. */
  readonly source?: HistorySource;
  /** How many of the source's messages it begins with. */
  readonly kept: number;
  /** Those of them that were replaced. */
  readonly replaced: readonly ReplacedMessage[];
  /** The messages after them, each with the revision that added it. */
  readonly added: readonly Message[];
  readonly revisions: readonly number[];
}

/** What a store has to write of a history after commits were applied to it. */
export function historyChangesOf({ messages, revisions }: History): HistoryChanges {
  if (!(messages instanceof RowMessages))
    return { kept: 0, replaced: NONE, added: messages.slice(), revisions: revisions.slice() };
  const { source, kept, replaced, added } = messages;
  return {
    source,
    kept,
    replaced: replaced.length === 0 ? NONE : replaced.slice(),
    added: added.length === 0 ? NONE : added.slice(),
    revisions: added.length === 0 ? NONE : revisions.slice(kept),
  };
}

const NONE: readonly never[] = [];
