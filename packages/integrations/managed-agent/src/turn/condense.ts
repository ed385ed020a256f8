import { type SessionStore, type SummaryTask, summarizeArchives, type Turn } from "@sessions/protocol";
import type { Warning } from "../options.js";

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
  const { store, turn, makeRoom, summarize, warn, signal } = condensing;
  const { sessionId, turnId } = turn;
  try {
    await makeRoom?.();
    await summarizeArchives(store, {
      sessionId,
      summarize,
      signal,
      onSettled: ({ archiveId, error }) => {
        if (error !== undefined)
          warn({ message: `Archive "${archiveId}" could not be summarised.`, sessionId, turnId, error });
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    warn({ message: "The conversation could not be condensed.", sessionId, turnId, error });
  }
}
