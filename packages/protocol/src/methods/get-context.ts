import { CONTEXT_QUERY, type Context, type ContextQuery } from "../api/queries.js";
import { invalid } from "../arguments/invalid-argument.js";
import { requireId } from "../arguments/require-id.js";
import type { SessionRecord } from "../backend/session-record.js";
import { conflictBackoff } from "../context/conflict-backoff.js";
import type { StoreContext } from "../context/store-context.js";
import { SessionError } from "../errors/session-error.js";
import type { Message } from "../message/message.js";
import { type CountTokens, estimateTokens } from "../message/text/token-counter.js";
import { newestMessages } from "../message/windows/newest-messages.js";
import { tailIsClosed } from "../message/windows/tail-is-closed.js";
import { runRead } from "../reading/run-read.js";
import type { ArchiveInfo } from "../session/archive-info.js";
import { checkBudget } from "../validate/queries.js";

/** Summaries of finished archives, then the newest messages that no finished summary covers, within the token budget. */
export function getContext(context: StoreContext, id: string, query: ContextQuery): Promise<Context> {
  return runRead(context, query, CONTEXT_QUERY, (checked) => contextFor(context, id, checked), "query");
}

async function contextFor(context: StoreContext, id: string, query: ContextQuery): Promise<Context> {
  requireId(id, "id", context.limits);
  if (query.maxTokens === undefined)
    throw invalid("query.maxTokens", "is missing: how many tokens may the model be sent?");
  checkBudget(query.maxTokens, query.countTokens, "query.maxTokens");
  const backoff = conflictBackoff(context, query.signal);
  for (;;) {
    const record = await context.backend.read(id, { messages: "none" });
    if (record === undefined) return emptyContext();
    const built = await contextOf(context, record, query);
    if (built !== undefined) return built;
    if (!(await backoff.pause())) throw tooBusy(id, backoff.elapsedMs);
  }
}

function tooBusy(id: string, waitedMs: number): SessionError {
  const message = `Others archived messages of session "${id}" faster than its context could be read; try again.`;
  return SessionError.of("STORE_BUSY", message, { sessionId: id, waitedMs });
}

/** A new object each time: callers may add messages to theirs. */
function emptyContext(): Context {
  return { messages: [], tokens: 0, omitted: { archiveIds: [], messages: 0 } };
}

/** `undefined` if archives were created or settled between the reads: the summaries and the messages would not match. */
async function contextOf(
  context: StoreContext,
  record: SessionRecord,
  query: ContextQuery,
): Promise<Context | undefined> {
  const { maxTokens, countTokens = estimateTokens } = query;
  const summaries = summariesWithin(record.archives, maxTokens, countTokens);
  const budget = { maxTokens: maxTokens - summaries.tokens, countTokens, atLeastNewest: false };
  const recent = await recentWithin(context, record, budget);
  if (recent === undefined) return undefined;
  return {
    messages: [...summaries.messages, ...recent.messages],
    tokens: summaries.tokens + recent.tokens,
    omitted: { archiveIds: summaries.omitted, messages: recent.uncovered - recent.messages.length },
  };
}

interface Summaries {
  readonly messages: readonly Message[];
  readonly tokens: number;
  readonly omitted: string[];
}

/** The newest summaries that fit, oldest first. Only the oldest ones are omitted. */
function summariesWithin(
  archives: readonly ArchiveInfo[],
  maxTokens: number,
  countTokens: CountTokens,
): Summaries {
  const all = archives.flatMap(summaryMessage);
  const messages: Message[] = [];
  let tokens = 0;
  for (const summary of all.toReversed()) {
    const cost = countTokens(summary);
    if (tokens + cost > maxTokens) break;
    tokens += cost;
    messages.unshift(summary);
  }
  const done = archives.filter((archive) => archive.summary.status === "done");
  return {
    messages,
    tokens,
    omitted: done.slice(0, done.length - messages.length).map((archive) => archive.id),
  };
}

function summaryMessage(archive: ArchiveInfo): Message[] {
  const { summary } = archive;
  if (summary.status !== "done") return [];
  const metadata = { archiveId: archive.id };
  return [
    {
      id: `summary-${archive.id}`,
      role: "system",
      content: summary.text,
      createdAt: summary.settledAt,
      metadata,
    },
  ];
}

interface RecentMessages {
  readonly messages: Message[];
  readonly tokens: number;
  /** The number of messages that no finished summary covers. */
  readonly uncovered: number;
}

type Budget = Parameters<typeof newestMessages>[1];

async function recentWithin(
  context: StoreContext,
  record: SessionRecord,
  budget: Budget,
): Promise<RecentMessages | undefined> {
  for (let size = 64; ; size *= 4) {
    const tail = await newestUncovered(context, record, size);
    if (tail === undefined) return undefined;
    const window = newestMessages(tail.messages, budget);
    const from = tail.messages.length - window.messages.length;
    const whole = tail.messages.length === tail.uncovered;
    if (whole || (from > 0 && tailIsClosed(tail.messages, from)))
      return { ...window, uncovered: tail.uncovered };
  }
}

interface UncoveredTail {
  readonly messages: readonly Message[];
  readonly uncovered: number;
}

/** The newest `size` messages that no finished summary covers: live messages, preceded by those of unfinished archives. */
async function newestUncovered(
  context: StoreContext,
  record: SessionRecord,
  size: number,
): Promise<UncoveredTail | undefined> {
  const live = await context.backend.read(record.id, { messages: { last: size } });
  if (live === undefined || !sameArchives(live, record)) return undefined;
  const unfinished = live.archives.filter((archive) => archive.summary.status !== "done");
  const runs: (readonly Message[])[] = [live.messages];
  let missing = size - live.messages.length;
  for (const archive of unfinished.toReversed()) {
    if (missing <= 0) break;
    const run = await context.backend.read(record.id, { messages: { archive: archive.id, last: missing } });
    if (run === undefined || !sameArchives(run, record)) return undefined;
    runs.unshift(run.messages);
    missing -= run.messages.length;
  }
  const uncovered = live.messageCount + unfinished.reduce((sum, archive) => sum + archive.messageCount, 0);
  return { messages: runs.flat(), uncovered };
}

function sameArchives(a: SessionRecord, b: SessionRecord): boolean {
  const names = (record: SessionRecord): string =>
    record.archives.map((archive) => `${archive.id} ${archive.summary.status}`).join();
  return a.incarnation === b.incarnation && names(a) === names(b);
}
