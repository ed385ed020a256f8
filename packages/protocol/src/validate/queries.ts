import type { ListOrder, ListQuery } from "../backend/list-query.js";
import type { MessageSelection } from "../backend/selection.js";
import type { HistoryQuery, ListSessionsQuery } from "../store/queries.js";
import {
  field,
  invalid,
  optional,
  requireArray,
  requireCount,
  requireOneOf,
  requireRecord,
  requireString,
  requireTime,
} from "./argument.js";
import { requireId } from "./identifier.js";
import type { Limits } from "./limits.js";
import { requireLabels } from "./session-fields.js";

/** Which messages of a session: what `getSession` and its kin take. */
export function requireSessionMessages(value: unknown, path: string, limits: Limits): MessageSelection {
  if (value === undefined || value === "all") return "all";
  if (value === "none") return "none";
  const range = requireRecord(value, path);
  if (range["last"] !== undefined) return { last: requireCount(range["last"], `${path}.last`) };
  if (range["after"] !== undefined) return { after: requireId(range["after"], `${path}.after`, limits) };
  throw invalid(path, 'must be "all", "none", { last: n } or { after: messageId }.');
}

/** A history query, checked. */
export function checkHistoryQuery(query: HistoryQuery, limits: Limits): void {
  requireRecord(query, "query");
  optional(query.limit, "query.limit", (value, at) => requireCount(value, at));
  optional(query.before, "query.before", (value, at) => requireId(value, at, limits));
  optional(query.after, "query.after", (value, at) => requireId(value, at, limits));
  optional(query.roles, "query.roles", (value, at) =>
    requireArray(value, at).map((role, index) => requireString(role, `${at}[${index}]`)),
  );
  checkBudget(query.maxTokens, query.countTokens, "query.maxTokens");
}

/** A number of tokens, and a function that counts them. */
export function checkBudget(maxTokens: unknown, countTokens: unknown, path: string): void {
  optional(maxTokens, path, (value, at) => {
    if (typeof value === "number" && value >= 0) return value;
    throw invalid(at, `must be a number of at least 0, not ${String(value)}.`);
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

/** A list query as backends take it. */
export function requireListQuery(query: ListSessionsQuery, limits: Limits): ListQuery {
  requireRecord(query, "query");
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
    ...field(
      "metadata",
      optional(query.metadata, "query.metadata", (value, at) =>
        requireArray(value, at).map((key) => requireString(key, at)),
      ),
    ),
  };
}
