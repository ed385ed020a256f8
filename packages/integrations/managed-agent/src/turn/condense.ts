import {
  type CountTokens,
  type SessionStore,
  type SummaryTask,
  summarizeArchives,
  type Turn,
} from "@sessions/protocol";
import type { Warning } from "../options.js";

/** How a conversation is made shorter, and where. */
export interface Condensing {
  readonly store: SessionStore;
  readonly context: {
    readonly keepTokens: number;
    readonly countTokens: CountTokens;
    readonly summarize?: (task: SummaryTask) => Promise<string> | string;
  };
  readonly warn: (warning: Warning) => void;
}

/**
 * Archives the oldest messages of a conversation that is too long, and has archives summarised that wait for it. The
 * conversation goes on without a summary: what fits is sent, and nothing is lost.
 */
export async function condense(
  { store, context, warn }: Condensing,
  turn: Turn,
  isOver: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { keepTokens, countTokens, summarize } = context;
  const { sessionId, turnId, token } = turn;
  if (summarize === undefined) return;
  try {
    if (isOver)
      await store.archiveMessages(sessionId, { keepTokens, keepRecent: 1, countTokens }, { fence: token });
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
