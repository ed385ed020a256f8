import {
  type OperationInput,
  type OptionNames,
  requireOptions,
  type Session,
  SessionError,
} from "@sessions/protocol/integration";
import { requireCount } from "@sessions/turn-runner";
import type { ReapOptions } from "../bot-session.js";
import { isOwn, labelsOf } from "../keys/conversation-labels.js";
import type { ConversationEnd } from "../options.js";
import type { Settings } from "../settings.js";
import { Deadline } from "../update-deadline.js";
import { archiveIn, resetOperations } from "./reset-operations.js";

const REAP_OPTIONS: OptionNames<ReapOptions> = { idleMs: true, destroy: "boolean", signal: "signal" };

/** Ends the conversations in which nothing has happened for a while. One commit each, and only while no turn runs. */
export async function reapConversations(settings: Settings, given: ReapOptions): Promise<number> {
  const options = requireOptions(given, REAP_OPTIONS);
  const before = settings.clock.now() - requireCount(options.idleMs, "options.idleMs", 1);
  const labels = labelsOf(settings.keys);
  const idle: string[] = [];
  // All of them first: ending one moves it to the end of this list.
  const { signal } = options;
  for await (const session of settings.store.listSessions({ labels, order: "updated-asc", signal })) {
    if (session.updatedAt > before) break;
    if (isOwn(session, settings.keys)) idle.push(session.id);
  }
  let ended = 0;
  for (const sessionId of idle) {
    signal?.throwIfAborted();
    if (await endIdle(settings, sessionId, before, options.destroy === true)) ended++;
  }
  return ended;
}

async function endIdle(
  settings: Settings,
  sessionId: string,
  before: number,
  destroy: boolean,
): Promise<boolean> {
  try {
    const archiveId = destroy
      ? await deleteIdle(settings, sessionId, before)
      : await archiveIdle(settings, sessionId, before);
    if (archiveId === undefined) return false;
    const place = archiveId === null ? {} : { archiveId };
    await tellEnd(settings, { sessionId, reason: "reaped", ...place });
    return true;
  } catch (error) {
    // Somebody speaks again: it is not idle.
    if (SessionError.is(error, "TURN_BUSY", "REVISION_CONFLICT", "SESSION_NOT_FOUND")) return false;
    throw error;
  }
}

async function tellEnd({ hooks, clock, deadlineMs }: Settings, end: ConversationEnd): Promise<void> {
  const deadline = new Deadline(clock, deadlineMs);
  await hooks.ended(end, deadline.signal);
  deadline.end();
}

function isIdle(session: Session | undefined, before: number): session is Session {
  return session !== undefined && session.updatedAt <= before && session.turn?.status !== "running";
}

async function archiveIdle(
  { store, newId }: Settings,
  sessionId: string,
  before: number,
): Promise<string | undefined> {
  let ops: readonly OperationInput[] = [];
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    const through = session?.messages.at(-1)?.id;
    const ends = isIdle(session, before) && through !== undefined;
    ops = ends ? resetOperations(session, { through, newId }) : [];
    return ops;
  };
  await store.updateSession(sessionId, compute, { messages: { last: 1 }, ifIdle: true });
  return archiveIn(ops);
}

async function deleteIdle({ store }: Settings, sessionId: string, before: number): Promise<null | undefined> {
  const session = await store.getSession(sessionId, { messages: "none" });
  if (!isIdle(session, before)) return undefined;
  const isGone = await store.deleteSession(sessionId, { ifRevision: session.revision, ifIdle: true });
  return isGone ? null : undefined;
}
