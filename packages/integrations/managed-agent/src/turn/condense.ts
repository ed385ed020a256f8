import { type SessionStore, type SummaryTask, summarizeArchives, type Turn } from "@sessions/protocol";
import type { Warning } from "../options.js";
import { notify } from "./notify.js";
import { unlessAborted } from "./unless-aborted.js";

/** How a conversation is made shorter. */
export interface Condensing {
  readonly store: SessionStore;
  readonly turn: Turn;
  /** Archives the oldest messages. Absent: there is room enough. */
  readonly makeRoom?: (() => Promise<unknown>) | undefined;
  readonly summarize: (task: SummaryTask) => Promise<string> | string;
  readonly warn: (warning: Warning) => void;
  readonly signal: AbortSignal;
}

/**
 * Makes room in a conversation, and has its archives summarised that wait for it. The conversation goes on without a
 * summary: what fits is sent, and nothing is lost.
 */
export async function condense(condensing: Condensing): Promise<void> {
  const { store, turn, makeRoom, signal } = condensing;
  const { sessionId, turnId } = turn;
  // A summary that never comes must not keep the turn from being stopped.
  const summarize = (task: SummaryTask): Promise<string> =>
    unlessAborted(signal, () => condensing.summarize(task));
  const warn = (message: string, error: unknown): void =>
    notify(() => condensing.warn({ message, sessionId, turnId, error }));
  try {
    await makeRoom?.();
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
