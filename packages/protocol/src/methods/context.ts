import type { SessionRecord } from "../backend/session-record.js";
import type { Message } from "../message/message.js";
import { newestMessages } from "../message/newest-messages.js";
import { tailIsClosed } from "../message/tail-is-closed.js";
import { type CountTokens, estimateTokens } from "../message/token-counter.js";
import type { ArchiveInfo } from "../session/archive-info.js";
import type { Context, ContextQuery } from "../store/queries.js";
import { reading } from "../store/reading.js";
import type { StoreContext } from "../store/store-context.js";
import { invalid, requireRecord } from "../validate/argument.js";
import { requireId } from "../validate/identifier.js";
import { checkBudget } from "../validate/queries.js";

/** Summaries of finished archives, then the newest messages that no finished summary covers, as far as they fit. */
export function getContext(context: StoreContext, id: string, query: ContextQuery): Promise<Context> {
  return reading(context, query?.signal, async () => {
    requireId(id, "id", context.limits);
    requireRecord(query, "query");
    if (query.maxTokens === undefined)
      throw invalid("query.maxTokens", "is missing: how many tokens may the model be sent?");
    checkBudget(query.maxTokens, query.countTokens, "query.maxTokens");
    const record = await context.backend.read(id, { messages: "none" });
    if (record === undefined) return { messages: [], tokens: 0, omitted: { archiveIds: [], messages: 0 } };
    const countTokens = query.countTokens ?? estimateTokens;
    const summaries = summariesWithin(record.archives, query.maxTokens, countTokens);
    const budget = { maxTokens: query.maxTokens - summaries.tokens, countTokens, atLeastNewest: false };
    const recent = await recentWithin(context, id, record, budget);
    return {
      messages: [...summaries.messages, ...recent.messages],
      tokens: summaries.tokens + recent.tokens,
      omitted: { archiveIds: summaries.omitted, messages: recent.uncovered - recent.messages.length },
    };
  });
}

interface Summaries {
  readonly messages: readonly Message[];
  readonly tokens: number;
  readonly omitted: string[];
}

/** The newest summaries that fit, oldest first: an omission is always of the oldest. */
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

interface Recent {
  readonly messages: Message[];
  readonly tokens: number;
  /** How many there are that no finished summary covers. */
  readonly uncovered: number;
}

type Budget = Parameters<typeof newestMessages>[1];

async function recentWithin(
  context: StoreContext,
  id: string,
  record: SessionRecord,
  budget: Budget,
): Promise<Recent> {
  for (let size = 64; ; size *= 4) {
    const tail = await newestUncovered(context, id, size);
    if (tail === undefined) return { messages: [], tokens: 0, uncovered: 0 };
    const window = newestMessages(tail.messages, budget);
    const from = tail.messages.length - window.messages.length;
    const whole = tail.messages.length === tail.uncovered;
    if (whole || (from > 0 && tailIsClosed(tail.messages, from)))
      return { ...window, uncovered: tail.uncovered };
    if (tail.record.incarnation !== record.incarnation)
      return { messages: [], tokens: 0, uncovered: tail.uncovered };
  }
}

interface UncoveredTail {
  readonly record: SessionRecord;
  readonly messages: readonly Message[];
  readonly uncovered: number;
}

/** The newest `size` messages that no finished summary covers: live ones, then those of unfinished archives before them. */
async function newestUncovered(
  context: StoreContext,
  id: string,
  size: number,
): Promise<UncoveredTail | undefined> {
  for (;;) {
    const live = await context.backend.read(id, { messages: { last: size } });
    if (live === undefined) return undefined;
    const unfinished = live.archives.filter((archive) => archive.summary.status !== "done");
    const runs: (readonly Message[])[] = [live.messages];
    let missing = size - live.messages.length;
    for (const archive of unfinished.toReversed()) {
      if (missing <= 0) break;
      const run = await context.backend.read(id, { messages: { archive: archive.id, last: missing } });
      if (run === undefined) return undefined;
      if (!sameArchives(run, live)) break; // archived or settled in between: the runs no longer fit together
      runs.unshift(run.messages);
      missing -= run.messages.length;
    }
    const uncovered = live.messageCount + unfinished.reduce((sum, archive) => sum + archive.messageCount, 0);
    const messages = runs.flat();
    if (messages.length >= Math.min(size, uncovered)) return { record: live, messages, uncovered };
  }
}

function sameArchives(a: SessionRecord, b: SessionRecord): boolean {
  const names = (record: SessionRecord): string =>
    record.archives.map((archive) => `${archive.id} ${archive.summary.status}`).join();
  return a.incarnation === b.incarnation && names(a) === names(b);
}
