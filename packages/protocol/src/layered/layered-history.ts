import type { Message } from "../message/message.js";
import type { History } from "../state/history.js";
import type { HistorySource } from "./history-source.js";
import { LayeredMessages, type Replaced } from "./layered-messages.js";
import { LayeredRevisions } from "./layered-revisions.js";

/** A history whose messages are in an engine: operations read what they need of it, and what they change lies above. */
export function layeredHistory(
  source: HistorySource,
  { liveFrom, archives, partials }: Pick<History, "liveFrom" | "archives" | "partials">,
): History {
  return {
    messages: new LayeredMessages(source),
    revisions: new LayeredRevisions(source),
    liveFrom,
    archives,
    partials,
  };
}

/** What a history consists of: so much of what an engine keeps, and what is not there yet. */
export interface HistoryLayers {
  /** Absent where the history has nothing of an engine in it. */
  readonly source?: HistorySource;
  /** How many of the source's messages it begins with. */
  readonly kept: number;
  /** Those of them that are there in another version. */
  readonly replaced: readonly Replaced[];
  /** The messages after them, each with the revision that added it. */
  readonly added: readonly Message[];
  readonly revisions: readonly number[];
}

/** The layers of a history: what a store has to write after a commit was applied. */
export function layersOf({ messages, revisions }: History): HistoryLayers {
  if (!(messages instanceof LayeredMessages))
    return { kept: 0, replaced: [], added: messages.slice(), revisions: revisions.slice() };
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
