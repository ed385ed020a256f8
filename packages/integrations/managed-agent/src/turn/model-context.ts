import { type Context, type Session, SessionError, type Turn } from "@sessions/protocol";
import { compactContext, leaseRetryPolicy, retry, turnIdOf } from "@sessions/turn-runner";
import type { Settings } from "../settings.js";

/**
 * The messages for the model: as much of the conversation as fits, and always the prompt. If not everything fits and there is a
 * `summarize` hook, the oldest messages are archived and summarized first.
 */
export async function modelContext(
  settings: Settings,
  turn: Turn,
  session: Session,
  signal: AbortSignal,
): Promise<Context> {
  const { store, context, warn } = settings;
  const { maxTokens, keepTokens, countTokens, summarize } = context;
  const policy = leaseRetryPolicy(settings, signal);
  const read = (): Promise<Context> =>
    retry(policy, () => store.getContext(turn.sessionId, { maxTokens, countTokens, signal }));
  const first = await read();
  const isTooLong = first.omitted.messages > 0;
  const hasPending = session.archives.some((archive) => archive.summary.status !== "done");
  if (summarize === undefined || !(isTooLong || hasPending)) return requirePrompt(first, turn, maxTokens);
  const query = { keepTokens, keepRecent: 1, countTokens };
  const archiveOldest = (): Promise<unknown> =>
    retry(policy, (options) =>
      store.archiveMessages(turn.sessionId, query, { ...options, fence: turn.token }),
    );
  await compactContext({
    store,
    turn,
    summarize,
    warn,
    signal,
    archiveOldest: isTooLong ? archiveOldest : undefined,
  });
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
