import type { HistoryQuery, ListSessionsQuery, SessionMessages } from "../api/queries.js";
import { invalid } from "../arguments/invalid-argument.js";
import type { Limits } from "../arguments/limits.js";
import { requireItems } from "../arguments/lists.js";
import { field, optional } from "../arguments/optional-field.js";
import { type OptionNames, requireOptions } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { requireCount, requireOneOf, requireString, requireTime } from "../arguments/require-value.js";
import { shown } from "../arguments/shown-value.js";
import type { ListOrder, ListQuery } from "../backend/list-query.js";
import type { SearchQuery } from "../backend/search.js";
import type { MessageSelection } from "../backend/selection.js";
import type { SessionError } from "../errors/session-error.js";
import { requireLabels } from "./session-fields.js";

/** Checks the `messages` option of `getSession` and similar methods. */
export function requireSessionMessages(value: unknown, path: string, limits: Limits): MessageSelection {
  if (value === undefined || value === "all") return "all";
  if (value === "none") return "none";
  if (typeof value !== "object" || value === null) throw notASelection(path);
  const { last, after } = requireOptions<{ last?: unknown; after?: unknown }>(value, RANGE, path);
  if ((last === undefined) === (after === undefined)) throw notASelection(path);
  return after === undefined
    ? { last: requireCount(last, `${path}.last`) }
    : { after: requireId(after, `${path}.after`, limits) };
}

const RANGE: OptionNames<Exclude<SessionMessages, string>> = { last: true, after: true };

function notASelection(path: string): SessionError {
  return invalid(path, 'must be "all", "none", { last: n } or { after: messageId }.');
}

/** Checks a history query and copies its lists. */
export function requireHistoryQuery(query: HistoryQuery, limits: Limits): HistoryQuery {
  optional(query.limit, "query.limit", (value, at) => requireCount(value, at));
  optional(query.before, "query.before", (value, at) => requireId(value, at, limits));
  optional(query.after, "query.after", (value, at) => requireId(value, at, limits));
  checkBudget(query.maxTokens, query.countTokens, "query.maxTokens");
  return { ...query, ...field("roles", optional(query.roles, "query.roles", stringsWithin(limits))) };
}

/** Requires a list of strings, such as roles or metadata keys. */
function stringsWithin(limits: Limits): (value: unknown, path: string) => string[] {
  return (value, path) => requireItems(value, path, limits, requireString);
}

/** Checks a token budget and its counting function. */
export function checkBudget(maxTokens: unknown, countTokens: unknown, path: string): void {
  optional(maxTokens, path, (value, at) => {
    if (typeof value === "number" && value >= 0) return value;
    throw invalid(at, `must be a number of at least 0, not ${shown(value)}.`);
  });
  if (countTokens !== undefined && typeof countTokens !== "function")
    throw invalid("query.countTokens", "must be a function.");
}

const ORDERS: readonly ListOrder[] = [
  "updated-desc",
  "updated-asc",
  "created-desc",
  "created-asc",
  "id-asc",
  "id-desc",
];

/** The list query for the backend, without its cursor: `listSessions` unwraps that. */
export function requireListQuery(query: ListSessionsQuery, limits: Limits): ListQuery {
  return {
    ...field(
      "labels",
      optional(query.labels, "query.labels", (value, at) => requireLabels(value, at, limits)),
    ),
    ...field(
      "parent",
      optional(query.parent, "query.parent", (value, at) => requireId(value, at, limits)),
    ),
    ...field("updatedSince", optional(query.updatedSince, "query.updatedSince", requireTime)),
    order: requireOneOf(query.order ?? "updated-desc", ORDERS, "query.order"),
    limit: requireCount(query.limit ?? 50, "query.limit", 1),
    ...field("cursor", optional(query.cursor, "query.cursor", requireString)),
    ...field("metadata", optional(query.metadata, "query.metadata", stringsWithin(limits))),
  };
}

/** The search query for the backend. */
export function requireSearchQuery(query: SearchQuery, limits: Limits): SearchQuery {
  return {
    text: requireString(query.text, "query.text"),
    ...field(
      "labels",
      optional(query.labels, "query.labels", (value, at) => requireLabels(value, at, limits)),
    ),
    ...field("roles", optional(query.roles, "query.roles", stringsWithin(limits))),
    ...field("since", optional(query.since, "query.since", requireTime)),
    ...field(
      "limit",
      optional(query.limit, "query.limit", (value, at) => requireCount(value, at, 1)),
    ),
    ...field("cursor", optional(query.cursor, "query.cursor", requireString)),
  };
}
