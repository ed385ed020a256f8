import {
  append,
  type Message,
  type OperationInput,
  remove,
  type Session,
  type Turn,
} from "@sessions/protocol";
import { isPrompt, turnIdOf } from "@sessions/turn-runner";
import { isDealtWith, isOpen } from "../conversation/settled-mark.js";
import { labelling } from "../keys/conversation-labels.js";
import type { EndReason } from "../options.js";
import { dueReset } from "../reset/due-reset.js";
import { activeAt, archiveIn, presentArchives, resetOperations, turnsOf } from "../reset/reset-operations.js";
import { patiently } from "../retry-call.js";
import type { Settings } from "../settings.js";
import { knownUpdate, promptName } from "./stored-reply.js";
import type { NamedMessage } from "./update-message.js";
import type { UpdateRequest } from "./update-request.js";

/** A conversation that is ready to be answered in. */
export interface Opened {
  /** What this turn answers, in order. */
  readonly prompts: readonly Message[];
  /** Turns that the conversation has had before this one. */
  readonly turns: number;
}

/**
 * Puts a conversation in order for a turn that has begun: what an earlier attempt left goes, a conversation that is
 * over ends, and the question is live. One commit at most; if it is cut off, the next attempt finds the same.
 */
export async function openConversation(
  settings: Settings,
  request: UpdateRequest,
  turn: Turn,
  begun: Session,
  signal: AbortSignal,
): Promise<Opened> {
  const live = await liveMessages(settings, request, begun);
  const prompts = promptsOf(settings, request, live);
  const leftOver = live.filter((message) => isLeftOver(message, request.turnId));
  const before = beforeFirst(prompts, live).filter((message) => !leftOver.includes(message));
  const now = settings.clock.now();
  const reason = dueReset(settings.reset, activityIn(begun, before, now), now);
  const reset = reason === undefined ? [] : endOf(settings, begun, before);
  const again = prompts.length > 0 ? undefined : await askedAgain(settings, request);
  const ops: readonly OperationInput[] = [
    ...(leftOver.length === 0 ? [] : [remove(leftOver.map(({ id }) => id))]),
    ...reset,
    ...(again === undefined ? [] : [append(again)]),
    ...labelling(begun, settings.keys),
  ];
  const changed =
    ops.length === 0
      ? []
      : (await patiently(settings, (options) => turn.commit(ops, options), signal)).messages;
  const archiveId = settings.reset.destroy ? undefined : archiveIn(reset);
  const isFirst = before.length === 0 && live.length >= begun.messageCount;
  await tellHooks(settings, begun, { reason, archiveId, isFirst }, signal);
  return {
    prompts: prompts.length > 0 ? prompts : changed.filter(({ id }) => id === again?.id),
    turns: reason === undefined ? turnsOf(begun) : 0,
  };
}

function beforeFirst(prompts: readonly Message[], live: readonly Message[]): readonly Message[] {
  const [first] = prompts;
  return first === undefined ? live : live.slice(0, live.indexOf(first));
}

/** What an earlier attempt at a turn wrote. */
function isLeftOver(message: Message, turnId: string): boolean {
  return turnIdOf(message) === turnId && !isPrompt(message);
}

/**
 * The newest ones, or all of them where the question is not among those (then it came long ago) or where a reset would
 * name each.
 */
async function liveMessages(
  settings: Settings,
  { sessionId, turnId }: UpdateRequest,
  begun: Session,
): Promise<readonly Message[]> {
  const { store, reset } = settings;
  const isNew = begun.messages.some((message) => isPrompt(message) && turnIdOf(message) === turnId);
  if (isNew && !reset.destroy) return begun.messages;
  return (await patiently(settings, () => store.getSession(sessionId)))?.messages ?? [];
}

/** The question, and with `merge` all others that wait for an answer. */
function promptsOf(
  { busy }: Settings,
  { turnId }: UpdateRequest,
  live: readonly Message[],
): readonly Message[] {
  const open = live.filter(isOpen);
  const own = open.filter((message) => turnIdOf(message) === turnId);
  return own.length > 0 && busy === "merge" ? open : own;
}

/** The question was archived without an answer: it is asked once more, under a name of its own. */
async function askedAgain(
  settings: Settings,
  { sessionId, turnId, prompt }: UpdateRequest,
): Promise<NamedMessage> {
  const { asked } = await knownUpdate(settings, sessionId, turnId);
  return { ...prompt, id: promptName(turnId, asked + 1) };
}

function activityIn(
  session: Session,
  before: readonly Message[],
  now: number,
): Parameters<typeof dueReset>[1] {
  if (before.length === 0 && presentArchives(session).length === 0) return { lastAt: undefined, turns: 0 };
  // What was answered, recorded or mirrored is in `activeAt`, by the bot's own clock. The rest is what a crash left, by
  // the platform's clock: a time that has not come yet says nothing.
  const said = before.filter(({ role }) => role === "user").map(({ createdAt }) => createdAt);
  const past = said.filter((at) => at <= now);
  return { lastAt: Math.max(activeAt(session) ?? 0, ...past), turns: turnsOf(session) };
}

function endOf(
  { newId, reset }: Settings,
  session: Session,
  held: readonly Message[],
): readonly OperationInput[] {
  const kept = reset.destroy ? held.filter(isDealtWith) : held;
  const destroyed = reset.destroy ? held : [];
  return resetOperations(session, { through: kept.at(-1)?.id, destroyed, newId });
}

interface Begun {
  readonly reason: EndReason | undefined;
  readonly archiveId: string | undefined;
  readonly isFirst: boolean;
}

async function tellHooks(
  { hooks }: Settings,
  session: Session,
  begun: Begun,
  signal: AbortSignal,
): Promise<void> {
  const { reason, archiveId, isFirst } = begun;
  const sessionId = session.id;
  if (reason !== undefined)
    await hooks.ended({ sessionId, reason, ...(archiveId === undefined ? {} : { archiveId }) }, signal);
  if (reason === undefined && !(isFirst && turnsOf(session) === 0)) return;
  const isNew = reason === undefined && session.archives.length === 0;
  await hooks.started({ sessionId, reason: isNew ? "new" : "reset" }, signal);
}
