import {
  type OperationInput,
  type OptionNames,
  requireOptions,
  type Session,
  SessionError,
} from "@sessions/protocol/integration";
import { requireCount } from "@sessions/turn-runner";
import type { EndIdleOptions } from "../bot-session.js";
import { conversationLabels, isOfAccount } from "../keys/conversation-labels.js";
import type { Settings } from "../settings.js";
import { archiveIn, resetOperations } from "./reset-operations.js";

const END_IDLE_OPTIONS: OptionNames<EndIdleOptions> = { idleMs: true, destroy: "boolean", signal: "signal" };

/** Ends the conversations that are idle. One commit each, and only while no turn runs. Returns how many it ended. */
export async function endIdle(settings: Settings, given: EndIdleOptions): Promise<number> {
  const options = requireOptions(given, END_IDLE_OPTIONS);
  const before = settings.clock.now() - requireCount(options.idleMs, "options.idleMs", 1);
  const labels = conversationLabels(settings.keys);
  const { signal } = options;
  const idle: string[] = [];
  // The whole list is read first: ending a conversation moves it to the end of the list.
  for await (const session of settings.store.listSessions({ labels, order: "updated-asc", signal })) {
    if (session.updatedAt > before) break;
    if (isOfAccount(session, settings.keys)) idle.push(session.id);
  }
  let ended = 0;
  for (const sessionId of idle) {
    signal?.throwIfAborted();
    if (await isEnded(settings, sessionId, before, options.destroy === true)) ended++;
  }
  return ended;
}

async function isEnded(
  settings: Settings,
  sessionId: string,
  before: number,
  destroy: boolean,
): Promise<boolean> {
  try {
    const end = destroy
      ? await deleteIdle(settings, sessionId, before)
      : await archiveIdle(settings, sessionId, before);
    if (end === undefined) return false;
    await settings.hooks.ended({ sessionId, reason: "idle", ...end });
    return true;
  } catch (error) {
    // The conversation has become active: it is not idle.
    if (SessionError.is(error, "TURN_BUSY", "REVISION_CONFLICT", "SESSION_NOT_FOUND")) return false;
    throw error;
  }
}

/** How an idle conversation ended; `undefined` if it was not idle any more. */
type IdleEnd = { readonly archiveId?: string } | undefined;

async function archiveIdle({ store, newId }: Settings, sessionId: string, before: number): Promise<IdleEnd> {
  let ops: readonly OperationInput[] = [];
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    const through = session?.messages.at(-1)?.id;
    const ends = isIdle(session, before) && through !== undefined;
    ops = ends ? resetOperations(session, { through, newId }) : [];
    return ops;
  };
  await store.updateSession(sessionId, compute, { messages: { last: 1 }, ifIdle: true });
  const archiveId = archiveIn(ops);
  return archiveId === undefined ? undefined : { archiveId };
}

async function deleteIdle({ store }: Settings, sessionId: string, before: number): Promise<IdleEnd> {
  const session = await store.getSession(sessionId, { messages: "none" });
  if (!isIdle(session, before)) return undefined;
  const isGone = await store.deleteSession(sessionId, { ifRevision: session.revision, ifIdle: true });
  return isGone ? {} : undefined;
}

function isIdle(session: Session | undefined, before: number): session is Session {
  return session !== undefined && session.updatedAt <= before && session.turn?.status !== "running";
}
