import { type Context, type Session, SessionError, type Turn } from "@sessions/protocol";
import { turnIdOf } from "../session/turn-marks.js";
import type { Settings } from "../settings.js";
import { condense } from "./condense.js";
import { retried } from "./retried.js";
import { savePatiently } from "./save-patiently.js";

/**
 * What the model is sent: as much of the conversation as fits, the prompt in any case. Where it does not all fit and
 * there is a `summarize` hook, the oldest messages are archived and summarised first.
 */
export async function modelContext(
  settings: Settings,
  turn: Turn,
  session: Session,
  signal: AbortSignal,
): Promise<Context> {
  const { store, context, warn, clock, ttlMs, newId } = settings;
  const { maxTokens, keepTokens, countTokens, summarize } = context;
  const retrying = { clock, deadlineMs: ttlMs / 2, signal };
  const read = (): Promise<Context> =>
    retried(retrying, () => store.getContext(turn.sessionId, { maxTokens, countTokens, signal }));
  const first = await read();
  const isOver = first.omitted.messages > 0;
  const waits = session.archives.some((archive) => archive.summary.status !== "done");
  if (summarize === undefined || !(isOver || waits)) return requirePrompt(first, turn, maxTokens);
  const oldest = { keepTokens, keepRecent: 1, countTokens };
  const makeRoom = (): Promise<unknown> =>
    savePatiently({ ...retrying, newId, isOver: () => signal.aborted }, (options) =>
      store.archiveMessages(turn.sessionId, oldest, { ...options, fence: turn.token }),
    );
  await condense({ store, turn, summarize, warn, signal, ...(isOver ? { makeRoom } : {}) });
  return requirePrompt(await read(), turn, maxTokens);
}

function requirePrompt(context: Context, { sessionId, turnId }: Turn, limit: number): Context {
  if (context.messages.some((message) => turnIdOf(message) === turnId)) return context;
  throw SessionError.of(
    "TOO_LARGE",
    `The prompt does not fit into the context of ${limit} tokens. Shorten it, or raise context.maxTokens.`,
    { sessionId, path: "prompt", limit },
  );
}
