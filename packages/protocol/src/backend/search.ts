import type { OptionNames } from "../arguments/options.js";
import type { Message } from "../message/message.js";

/** What to search for. Quotes and operators are plain text. */
export interface SearchQuery {
  readonly text: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly roles?: readonly string[];
  readonly since?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

export const SEARCH_QUERY: OptionNames<SearchQuery> = {
  text: true,
  labels: true,
  roles: true,
  since: true,
  limit: true,
  cursor: true,
};

/** A message that matches, with the messages around it. */
export interface SearchHit {
  readonly sessionId: string;
  readonly messageId: string;
  readonly score: number;
  readonly snippet: string;
  readonly messages: readonly Message[];
}
