import { HISTORY_QUERY, type HistoryQuery } from "../api/queries.js";
import { field } from "../arguments/optional-field.js";
import { requireId } from "../arguments/require-id.js";
import type { MessageRange } from "../backend/selection.js";
import type { StoreContext } from "../context/store-context.js";
import { pairMessages } from "../message/links/pair-messages.js";
import type { Message } from "../message/message.js";
import { keepRoles } from "../message/windows/keep-roles.js";
import { groupStarts } from "../message/windows/message-groups.js";
import { newestMessages } from "../message/windows/newest-messages.js";
import { closedFrom, tailIsClosed } from "../message/windows/tail-is-closed.js";
import { readTail, type Tail } from "../reading/read-tail.js";
import { runRead } from "../reading/run-read.js";
import { requireHistoryQuery } from "../validate/queries.js";

/** The newest messages that fit. Tool calls and results stay together. Reads only as much as it needs, from the end. */
export function getChatHistory(
  context: StoreContext,
  id: string,
  query: HistoryQuery = {},
): Promise<Message[]> {
  return runRead(context, query, HISTORY_QUERY, (given) => historyFor(context, id, given), "query");
}

async function historyFor(context: StoreContext, id: string, given: HistoryQuery): Promise<Message[]> {
  requireId(id, "id", context.limits);
  const query = requireHistoryQuery(given, context.limits);
  const range = { ...field("before", query.before), ...field("after", query.after) };
  const bounded = query.before !== undefined || query.after !== undefined;
  const tail = await readRange(context, id, range, query);
  if (tail === undefined) return [];
  const window = windowOf(tail, query).messages;
  return bounded && hasLooseEnds(window) ? cutAtGroups(context, id, query) : window;
}

function readRange(
  context: StoreContext,
  id: string,
  range: MessageRange,
  query: HistoryQuery,
): Promise<Tail | undefined> {
  if (query.limit === undefined && query.maxTokens === undefined)
    return readTail(context, id, { range, firstSize: Number.MAX_SAFE_INTEGER }, () => true);
  const firstSize = Math.min(query.limit ?? 64, 4096) + 16;
  return readTail(context, id, { range, firstSize }, (read) => windowOf(read, query).certain);
}

interface Window {
  readonly messages: Message[];
  /** Whether older messages cannot change the window. */
  readonly certain: boolean;
}

/** The window over the messages that were read so far. */
function windowOf({ messages, whole }: Pick<Tail, "messages" | "whole">, query: HistoryQuery): Window {
  if (query.roles !== undefined) {
    const closed = whole ? messages : messages.slice(closedFrom(messages));
    const window = newestMessages(keepRoles(closed, query.roles), query);
    return { messages: window.messages, certain: whole || !window.complete };
  }
  const window = newestMessages(messages, query);
  return {
    messages: window.messages,
    certain: whole || tailIsClosed(messages, messages.length - window.messages.length),
  };
}

/** Whether a tool call or result may have its counterpart outside of the caller's bounds. */
function hasLooseEnds(messages: readonly Message[]): boolean {
  const pairs = pairMessages(messages);
  return (
    pairs.lastOrphan >= 0 ||
    pairs.openCalls.length + pairs.openApprovals.length + pairs.loneReasoning.length > 0
  );
}

/** The same with the bounds moved inwards to group boundaries. Only this reads the whole session. */
async function cutAtGroups(context: StoreContext, id: string, query: HistoryQuery): Promise<Message[]> {
  const all = (await context.backend.read(id, { messages: "all" }))?.messages ?? [];
  const cuts = [...groupStarts(all), all.length];
  const after = query.after === undefined ? 0 : all.findIndex((message) => message.id === query.after) + 1;
  const before =
    query.before === undefined ? all.length : all.findIndex((message) => message.id === query.before);
  const from = cuts.find((cut) => cut >= after) ?? all.length;
  const to = cuts.findLast((cut) => cut <= before) ?? 0;
  return windowOf({ messages: all.slice(from, Math.max(from, to)), whole: true }, query).messages;
}
