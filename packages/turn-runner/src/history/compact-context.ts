import { type SessionStore, type SummaryTask, summarizeArchives, type Turn } from "@sessions/protocol";
import type { Warning } from "../agent/warning.js";
import { notify } from "../user-functions/notify.js";
import { raceAbort } from "../user-functions/race-abort.js";

/** How a conversation is made shorter. */
export interface Compaction {
  readonly store: SessionStore;
  readonly turn: Turn;
  /** Archives the oldest messages. Absent: the conversation fits, and only pending summaries are made. */
  readonly archiveOldest?: (() => Promise<unknown>) | undefined;
  readonly summarize: (task: SummaryTask) => Promise<string> | string;
  readonly warn: (warning: Warning) => void;
  readonly signal: AbortSignal;
}

/**
 * Archives the oldest messages of a conversation and summarizes its pending archives. An error is a warning: the turn goes on
 * with the messages that fit, and nothing is lost.
 */
export async function compactContext(compaction: Compaction): Promise<void> {
  const { store, turn, archiveOldest, signal } = compaction;
  const { sessionId, turnId } = turn;
  // A summary that never comes must not keep the turn from being stopped.
  const summarize = (task: SummaryTask): Promise<string> =>
    raceAbort(signal, () => compaction.summarize(task));
  const warn = (message: string, error: unknown): void =>
    notify(() => compaction.warn({ message, sessionId, turnId, error }));
  try {
    await archiveOldest?.();
    await summarizeArchives(store, {
      sessionId,
      summarize,
      signal,
      onSettled: ({ archiveId, error }) => {
        if (error !== undefined) warn(`Archive "${archiveId}" could not be summarised.`, error);
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    warn("The conversation could not be condensed.", error);
  }
}
