import {
  type ArchiveInfo,
  archive,
  type Context,
  type CountTokens,
  groupMessages,
  type Message,
  type Session,
  type Turn,
} from "@sessions/protocol";
import {
  answerOpenCalls,
  compactContext,
  type HistoryEntry,
  leaseRetryPolicy,
  retry,
  sessionNotFound,
} from "@sessions/turn-runner";
import { presentArchives } from "../reset/reset-operations.js";
import type { Settings } from "../settings.js";
import { newestGroups } from "./newest-groups.js";
import { readingOrder } from "./reading-order.js";
import { isUnsettled } from "./settled-mark.js";

/** The turn that reads a conversation. */
export interface ContextReader {
  readonly settings: Settings;
  readonly turn: Turn;
  /** The messages that this turn answers. They come last, whenever they arrived. */
  readonly prompts: readonly Message[];
  /** A message as the model sees it. */
  readonly shown: (message: Message) => Message;
  readonly signal: AbortSignal;
}

/** A context, and a revision of the session that it is not older than. */
export interface RevisedContext extends Context {
  readonly revision: number;
}

/** Reads the conversation since its last reset: as much of it as fits, in order, every tool call with its result. */
export async function readContext(reader: ContextReader): Promise<RevisedContext> {
  const { settings, turn, prompts, shown, signal } = reader;
  const { store, warn } = settings;
  const { summarize } = settings.history;
  const first = await read(reader);
  const isTooLong = first.context.omitted.messages > 0;
  if (summarize === undefined || !(isTooLong || first.hasPendingSummary)) return arranged(reader, first);
  await compactContext({
    store,
    turn,
    summarize: (task) => summarize({ ...task, messages: task.messages.map(shown) }),
    warn,
    signal,
    archiveOldest: isTooLong && prompts.length > 0 ? () => archiveOldest(reader) : undefined,
  });
  return arranged(reader, await read(reader));
}

/** What was read of a conversation. */
interface Reading {
  readonly context: Context;
  readonly revision: number;
  readonly hasPendingSummary: boolean;
}

async function read(reader: ContextReader): Promise<Reading> {
  const session = await readSession(reader);
  const hasPendingSummary = presentArchives(session).some(({ summary }) => summary.status !== "done");
  return { context: await presentContext(reader, session), revision: session.revision, hasPendingSummary };
}

async function readSession({ settings, turn, signal }: ContextReader): Promise<Session> {
  const { store } = settings;
  const session = await retry(leaseRetryPolicy(settings, signal), () =>
    store.getSession(turn.sessionId, { messages: "none", signal }),
  );
  if (session === undefined) throw sessionNotFound(turn.sessionId);
  return session;
}

/** The store's context without the summaries of conversations that have ended. */
async function presentContext({ settings, turn, signal }: ContextReader, session: Session): Promise<Context> {
  const { maxTokens, countTokens } = settings.history;
  const present = new Set(presentArchives(session).map(({ id }) => id));
  const ended = session.archives.filter(({ id }) => !present.has(id));
  // The store counts their summaries against the budget, although the model does not get them.
  const spent = ended.reduce((sum, one) => sum + summaryTokens(one, countTokens), 0);
  const query = { maxTokens: maxTokens + spent, countTokens, signal };
  const { messages, tokens, omitted } = await retry(leaseRetryPolicy(settings, signal), () =>
    settings.store.getContext(turn.sessionId, query),
  );
  const endedIds = new Set(ended.map(({ id }) => id));
  const isOfEnded = ({ metadata }: Message): boolean => endedIds.has(String(metadata?.["archiveId"]));
  return {
    messages: messages.filter((message) => !isOfEnded(message)),
    tokens: tokens - spent,
    omitted: { ...omitted, archiveIds: omitted.archiveIds.filter((id) => !endedIds.has(id)) },
  };
}

function summaryTokens({ summary }: ArchiveInfo, countTokens: CountTokens): number {
  if (summary.status !== "done") return 0;
  return countTokens({ id: "", role: "system", content: summary.text, createdAt: 0 });
}

function arranged({ settings, prompts }: ContextReader, { context, revision }: Reading): RevisedContext {
  const { newId, clock, history } = settings;
  const promptIds = new Set(prompts.map(({ id }) => id));
  // A prompt that came to be merged after this turn took its prompts is answered by the next turn.
  const isLate = (message: Message): boolean => settings.busy === "merge" && isUnsettled(message);
  const others = context.messages.filter((message) => !promptIds.has(message.id) && !isLate(message));
  const answered = answerOpenCalls(readingOrder(others), newId)
    .map((entry) => ({ ...entry, createdAt: entry.createdAt ?? clock.now() }))
    .filter(isMessage);
  return {
    ...context,
    messages: [...newestGroups([...answered, ...prompts], history.maxMessages)],
    revision,
  };
}

function isMessage(entry: HistoryEntry): entry is Message {
  return typeof entry.createdAt === "number";
}

/** Archives the messages before the prompts of this turn, except the newest `keepTokens` of them. */
async function archiveOldest({ settings, turn, prompts, signal }: ContextReader): Promise<void> {
  const { store, history } = settings;
  const session = await retry(leaseRetryPolicy(settings, signal), () =>
    store.getSession(turn.sessionId, { signal }),
  );
  const { messages } = session ?? { messages: [] };
  const promptIds = new Set(prompts.map(({ id }) => id));
  const firstPrompt = messages.findIndex(({ id }) => promptIds.has(id));
  let kept = 0;
  const lastArchived = groupMessages(messages.slice(0, firstPrompt))
    .toReversed()
    .find((group) => {
      kept += group.reduce((sum, message) => sum + history.countTokens(message), 0);
      return kept > history.keepTokens;
    })
    ?.at(-1);
  if (lastArchived === undefined) return;
  await retry(leaseRetryPolicy(settings, signal), (options) =>
    turn.commit([archive(lastArchived.id)], options),
  );
}
