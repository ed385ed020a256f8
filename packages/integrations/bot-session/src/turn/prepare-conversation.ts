import {
  append,
  type Message,
  type OperationInput,
  remove,
  type Session,
  type Turn,
} from "@sessions/protocol";
import { isPrompt, leaseRetryPolicy, retry, turnIdOf } from "@sessions/turn-runner";
import { isUnsettled, mustStayKnown } from "../conversation/settled-mark.js";
import { labelConversation } from "../keys/conversation-labels.js";
import type { EndReason } from "../options.js";
import { type Activity, dueReset } from "../reset/due-reset.js";
import { activeAt, archiveIn, presentArchives, resetOperations, turnsOf } from "../reset/reset-operations.js";
import type { Settings } from "../settings.js";
import { findUpdate, promptId } from "./stored-reply.js";
import type { IdentifiedMessage } from "./update-message.js";
import type { UpdateRequest } from "./update-request.js";

/** A conversation that is ready for the answer. */
export interface PreparedConversation {
  /** The messages that this turn answers, in order. */
  readonly prompts: readonly Message[];
  /** The turns of the conversation before this one. */
  readonly turns: number;
}

/**
 * Prepares a conversation for a turn that has begun: removes what an earlier attempt left, ends a conversation whose reset is due, and
 * makes sure that the prompt is live. One commit at most. If the turn is cut off, the next attempt finds the same and does the same.
 */
export async function prepareConversation(
  settings: Settings,
  request: UpdateRequest,
  turn: Turn,
  begun: Session,
  signal: AbortSignal,
): Promise<PreparedConversation> {
  const live = await liveMessages(settings, request, begun);
  const prompts = promptsOf(settings, request, live);
  const leftOver = live.filter((message) => isLeftOver(message, request.turnId));
  const before = beforeFirst(prompts, live).filter((message) => !leftOver.includes(message));
  const now = settings.clock.now();
  const reason = dueReset(settings.reset, activityIn(begun, before, now), now);
  const reset = reason === undefined ? [] : endConversation(settings, begun, before);
  const again = prompts.length > 0 ? undefined : await promptAgain(settings, request);
  const ops: readonly OperationInput[] = [
    ...(leftOver.length === 0 ? [] : [remove(leftOver.map(({ id }) => id))]),
    ...reset,
    ...(again === undefined ? [] : [append(again)]),
    ...labelConversation(begun, settings.keys),
  ];
  const changed =
    ops.length === 0
      ? []
      : (await retry(leaseRetryPolicy(settings, signal), (options) => turn.commit(ops, options))).messages;
  const archiveId = settings.reset.destroy ? undefined : archiveIn(reset);
  const isFirst = before.length === 0 && live.length >= begun.messageCount;
  await callHooks(settings, begun, { reason, archiveId, isFirst }, signal);
  return {
    prompts: prompts.length > 0 ? prompts : changed.filter(({ id }) => id === again?.id),
    turns: reason === undefined ? turnsOf(begun) : 0,
  };
}

function beforeFirst(prompts: readonly Message[], live: readonly Message[]): readonly Message[] {
  const [first] = prompts;
  return first === undefined ? live : live.slice(0, live.indexOf(first));
}

/** Whether an earlier attempt at this turn wrote the message. */
function isLeftOver(message: Message, turnId: string): boolean {
  return turnIdOf(message) === turnId && !isPrompt(message);
}

/** The newest live messages. All of them if the prompt is not among the newest, or if a reset would destroy each. */
async function liveMessages(
  settings: Settings,
  { sessionId, turnId }: UpdateRequest,
  begun: Session,
): Promise<readonly Message[]> {
  const { store, reset } = settings;
  const isNew = begun.messages.some((message) => isPrompt(message) && turnIdOf(message) === turnId);
  if (isNew && !reset.destroy) return begun.messages;
  return (await retry(leaseRetryPolicy(settings), () => store.getSession(sessionId)))?.messages ?? [];
}

/** The prompt of this turn, and with `merge` all others without an answer. */
function promptsOf(
  { busy }: Settings,
  { turnId }: UpdateRequest,
  live: readonly Message[],
): readonly Message[] {
  const unsettled = live.filter(isUnsettled);
  const own = unsettled.filter((message) => turnIdOf(message) === turnId);
  return own.length > 0 && busy === "merge" ? unsettled : own;
}

/** The prompt was archived without an answer: it is added again, under another id. */
async function promptAgain(
  settings: Settings,
  { sessionId, turnId, prompt }: UpdateRequest,
): Promise<IdentifiedMessage> {
  const { attempts } = await findUpdate(settings, sessionId, turnId);
  return { ...prompt, id: promptId(turnId, attempts + 1) };
}

function activityIn(session: Session, before: readonly Message[], now: number): Activity {
  if (before.length === 0 && presentArchives(session).length === 0) return { lastAt: undefined, turns: 0 };
  // Answered, recorded and mirrored messages count in `activeAt`, by the bot's clock. The others are what a crash left, with times
  // of the platform's clock: a time in the future does not count.
  const times = before.filter(({ role }) => role === "user").map(({ createdAt }) => createdAt);
  const past = times.filter((at) => at <= now);
  return { lastAt: Math.max(activeAt(session) ?? 0, ...past), turns: turnsOf(session) };
}

function endConversation(
  { newId, reset }: Settings,
  session: Session,
  messages: readonly Message[],
): readonly OperationInput[] {
  const kept = reset.destroy ? messages.filter(mustStayKnown) : messages;
  const destroyed = reset.destroy ? messages : [];
  return resetOperations(session, { through: kept.at(-1)?.id, destroyed, newId });
}

/** What the preparation has changed, for the hooks. */
interface Preparation {
  readonly reason: EndReason | undefined;
  readonly archiveId: string | undefined;
  readonly isFirst: boolean;
}

async function callHooks(
  { hooks }: Settings,
  session: Session,
  { reason, archiveId, isFirst }: Preparation,
  signal: AbortSignal,
): Promise<void> {
  const sessionId = session.id;
  if (reason !== undefined)
    await hooks.ended({ sessionId, reason, ...(archiveId === undefined ? {} : { archiveId }) }, signal);
  if (reason === undefined && !(isFirst && turnsOf(session) === 0)) return;
  const isNew = reason === undefined && session.archives.length === 0;
  await hooks.started({ sessionId, reason: isNew ? "new" : "reset" }, signal);
}
