import {
  type ArchiveInfo,
  archive,
  type Context,
  type CountTokens,
  groupMessages,
  type Message,
  type Session,
  SessionError,
  type Turn,
} from "@sessions/protocol";
import { answerOpenCalls, compactContext, type HistoryEntry } from "@sessions/turn-runner";
import { presentArchives } from "../reset/reset-operations.js";
import { patiently } from "../retry-call.js";
import type { Settings } from "../settings.js";
import { newestGroups } from "./newest-groups.js";
import { inOrder } from "./reading-order.js";
import { isOpen } from "./settled-mark.js";

/** What a turn reads, and with which questions. */
export interface Reading {
  readonly settings: Settings;
  readonly turn: Turn;
  /** The messages that this turn answers. They stand last, however long ago they came. */
  readonly prompts: readonly Message[];
  /** A message as a model sees it. */
  readonly shown: (message: Message) => Message;
  readonly signal: AbortSignal;
}

/** A context, and a revision of the session that it is not older than. */
export interface RevisedContext extends Context {
  readonly revision: number;
}

/** The conversation since its last reset, as much of it as fits, in order, every tool call with its result. */
export async function readContext(reading: Reading): Promise<RevisedContext> {
  const { settings, turn, prompts, shown, signal } = reading;
  const { store, history } = settings;
  const session = await present(reading);
  const first = await read(reading, session);
  const isOver = first.omitted.messages > 0;
  const waits = presentArchives(session).some(({ summary }) => summary.status !== "done");
  const { summarize } = history;
  if (summarize === undefined || !(isOver || waits))
    return { ...arranged(reading, first), revision: session.revision };
  await compactContext({
    store,
    turn,
    summarize: (task) => summarize({ ...task, messages: task.messages.map(shown) }),
    warn: settings.warn,
    signal,
    archiveOldest: isOver && prompts.length > 0 ? () => archiveOldest(reading) : undefined,
  });
  const condensed = await present(reading);
  return { ...arranged(reading, await read(reading, condensed)), revision: condensed.revision };
}

async function present({ settings, turn, signal }: Reading): Promise<Session> {
  const { store } = settings;
  const session = await patiently(
    settings,
    () => store.getSession(turn.sessionId, { messages: "none", signal }),
    signal,
  );
  if (session !== undefined) return session;
  throw SessionError.of("SESSION_NOT_FOUND", `Session "${turn.sessionId}" is gone.`, {
    sessionId: turn.sessionId,
  });
}

/** The store's own context, without what stands for conversations that ended. */
async function read({ settings, turn, signal }: Reading, session: Session): Promise<Context> {
  const { maxTokens, countTokens } = settings.history;
  const own = new Set(presentArchives(session).map(({ id }) => id));
  const ended = session.archives.filter(({ id }) => !own.has(id));
  // They take room in the store's reckoning, and none in the conversation.
  const spent = ended.reduce((sum, one) => sum + summaryTokens(one, countTokens), 0);
  const query = { maxTokens: maxTokens + spent, countTokens, signal };
  const { messages, tokens, omitted } = await patiently(
    settings,
    () => settings.store.getContext(turn.sessionId, query),
    signal,
  );
  const gone = new Set(ended.map(({ id }) => id));
  const isGone = ({ metadata }: Message): boolean => gone.has(String(metadata?.["archiveId"]));
  return {
    messages: messages.filter((message) => !isGone(message)),
    tokens: tokens - spent,
    omitted: { ...omitted, archiveIds: omitted.archiveIds.filter((id) => !gone.has(id)) },
  };
}

function summaryTokens({ summary }: ArchiveInfo, countTokens: CountTokens): number {
  if (summary.status !== "done") return 0;
  return countTokens({ id: "", role: "system", content: summary.text, createdAt: 0 });
}

function arranged({ settings, prompts }: Reading, context: Context): Context {
  const { newId, clock, history } = settings;
  const asked = new Set(prompts.map(({ id }) => id));
  // What came to be merged after this turn had taken its questions is answered by the next one, and not seen by two.
  const isLate = (message: Message): boolean => settings.busy === "merge" && isOpen(message);
  const others = context.messages.filter((message) => !asked.has(message.id) && !isLate(message));
  const told = answerOpenCalls(inOrder(others), newId)
    .map((entry) => ({ ...entry, createdAt: entry.createdAt ?? clock.now() }))
    .filter(isMessage);
  return { ...context, messages: [...newestGroups([...told, ...prompts], history.maxMessages)] };
}

function isMessage(entry: HistoryEntry): entry is Message {
  return typeof entry.createdAt === "number";
}

/** Archives what stands before the questions of this turn, but for the newest of it. */
async function archiveOldest({ settings, turn, prompts, signal }: Reading): Promise<void> {
  const { store, history } = settings;
  const read = () => store.getSession(turn.sessionId, { signal });
  const { messages } = (await patiently(settings, read, signal)) ?? { messages: [] };
  const asked = new Set(prompts.map(({ id }) => id));
  const before = messages.slice(
    0,
    messages.findIndex(({ id }) => asked.has(id)),
  );
  let kept = 0;
  const goes = groupMessages(before)
    .toReversed()
    .find((group) => {
      kept += group.reduce((sum, message) => sum + history.countTokens(message), 0);
      return kept > history.keepTokens;
    });
  const through = goes?.at(-1);
  if (through === undefined) return;
  await patiently(settings, (options) => turn.commit([archive(through.id)], options), signal);
}
