import type { SessionStore } from "../api/session-store.js";
import { invalid } from "../arguments/invalid-argument.js";
import { type OptionNames, requireOptions } from "../arguments/options.js";
import { SessionError } from "../errors/session-error.js";
import type { Message } from "../message/message.js";
import type { ArchiveInfo } from "../session/archive-info.js";
import { requireStore } from "../validate/require-store.js";

/** The input of `summarize`. */
export interface SummaryTask {
  readonly sessionId: string;
  readonly archive: ArchiveInfo;
  readonly messages: readonly Message[];
  /** The newest finished summary before this archive, to continue from. */
  readonly previous?: string;
  readonly signal?: AbortSignal;
}

/** The options of `summarizeArchives`. */
export interface SummarizeOptions {
  /** Called for each archive without a summary. An error that it throws is recorded, and the archive may be tried again. */
  readonly summarize: (task: SummaryTask) => Promise<string> | string;
  /** Only this session. @default all sessions of the store */
  readonly sessionId?: string | undefined;
  /** An archive that failed this many times is skipped. @default 3 */
  readonly maxAttempts?: number | undefined;
  /** Called after each archive that is settled, with a summary or with an error. */
  readonly onSettled?:
    | ((settled: {
        readonly sessionId: string;
        readonly archiveId: string;
        readonly error?: unknown;
      }) => void)
    | undefined;
  /** Stops between archives. It is also passed to `summarize`. */
  readonly signal?: AbortSignal | undefined;
}

const SUMMARIZE_OPTIONS: OptionNames<SummarizeOptions> = {
  summarize: "function",
  sessionId: "text",
  maxAttempts: "count",
  onSettled: "function",
  signal: "signal",
};

/** How many archives were summarized, and how many failed. */
export interface SummarizeResult {
  readonly done: number;
  readonly failed: number;
}

/**
 * Summarizes every pending archive, also those from before a restart, and retries failed ones. An abort leaves an
 * archive as it was and does not count as a failure.
 */
export async function summarizeArchives(
  store: SessionStore,
  given: SummarizeOptions,
): Promise<SummarizeResult> {
  requireStore(store);
  const options = requireOptions(given, SUMMARIZE_OPTIONS);
  if (options.summarize === undefined)
    throw invalid("options.summarize", "is missing: it must be a function.");
  const result = { done: 0, failed: 0 };
  for await (const session of sessionsOf(store, options)) {
    for (const archive of session.archives.filter((candidate) =>
      isOpen(candidate, options.maxAttempts ?? 3),
    )) {
      options.signal?.throwIfAborted();
      const settled = await settleOne(store, session.id, archive.id, options);
      if (settled !== undefined) result[settled]++;
    }
  }
  return result;
}

async function* sessionsOf(
  store: SessionStore,
  { sessionId, signal }: SummarizeOptions,
): AsyncGenerator<{ readonly id: string; readonly archives: readonly ArchiveInfo[] }> {
  // By id: in an order by update time, this function's own commits would move sessions.
  if (sessionId === undefined) yield* store.listSessions({ order: "id-asc", signal });
  else yield { id: sessionId, archives: await store.listArchives(sessionId, { signal }) };
}

function isOpen(archive: ArchiveInfo, maxAttempts: number): boolean {
  const { summary } = archive;
  return summary.status === "pending" || (summary.status === "failed" && summary.attempts < maxAttempts);
}

/** `undefined` if the session or the archive was deleted or reverted in the meantime. Then there is nothing to settle. */
async function settleOne(
  store: SessionStore,
  sessionId: string,
  archiveId: string,
  options: SummarizeOptions,
): Promise<keyof SummarizeResult | undefined> {
  try {
    const result = await summaryOf(await taskOf(store, sessionId, archiveId, options), options);
    await store.settleArchive(
      sessionId,
      archiveId,
      "summary" in result ? result : { error: String(result.error) },
    );
    options.onSettled?.({ sessionId, archiveId, ...("error" in result ? { error: result.error } : {}) });
    return "summary" in result ? "done" : "failed";
  } catch (error) {
    if (SessionError.is(error, "SESSION_NOT_FOUND", "ARCHIVE_NOT_FOUND")) return undefined;
    throw error;
  }
}

async function taskOf(
  store: SessionStore,
  sessionId: string,
  archiveId: string,
  { signal }: SummarizeOptions,
): Promise<SummaryTask> {
  const { messages, ...archive } = await store.getArchive(sessionId, archiveId, { signal });
  const previous = await previousSummary(store, sessionId, archiveId);
  return { sessionId, archive, messages, ...previous, ...(signal === undefined ? {} : { signal }) };
}

async function summaryOf(
  task: SummaryTask,
  { summarize, signal }: SummarizeOptions,
): Promise<{ readonly summary: string } | { readonly error: unknown }> {
  try {
    const summary = await summarize(task);
    signal?.throwIfAborted();
    return { summary };
  } catch (error) {
    if (signal?.aborted) throw error; // an abort is not a failure of the summary
    return { error };
  }
}

async function previousSummary(
  store: SessionStore,
  sessionId: string,
  archiveId: string,
): Promise<{ readonly previous?: string }> {
  const archives = await store.listArchives(sessionId);
  const before = archives.slice(
    0,
    archives.findIndex((archive) => archive.id === archiveId),
  );
  const summary = before.findLast((archive) => archive.summary.status === "done")?.summary;
  return summary?.status === "done" ? { previous: summary.text } : {};
}
