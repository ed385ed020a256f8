import { sharedClock } from "@sessions/conformance/multi-process";
import { append, count, SessionError } from "@sessions/protocol";
import { loggedResult } from "./logged-result.js";
import { messageOf, newMessageId } from "./message.js";
import type { Operation, OperationContext } from "./operation-context.js";
import { type SharedKind, sharedSession } from "./shared-session.js";

/** Appends one message or a batch. */
export function appendTo(kind: SharedKind): Operation {
  return async (context) => {
    await appendSome(context, sharedSession(context, kind));
  };
}

export async function appendSome(context: OperationContext, session: string): Promise<readonly string[]> {
  const { random, recorder, store } = context;
  const size = random.chance(0.2) ? random.between(2, 12) : 1;
  const ids = Array.from({ length: size }, () => newMessageId(context));
  const messages = ids.map(messageOf);
  await recorder.call(
    session,
    { kind: "append", ids },
    () => store.addMessage(session, messages),
    loggedResult,
  );
  return ids;
}

/** Appends a message under a commit id. Sends some of them twice, as a webhook may be delivered twice. */
export function appendWithIdTo(kind: SharedKind): Operation {
  return async (context) => {
    const session = sharedSession(context, kind);
    const sent = {
      session,
      ids: [newMessageId(context)],
      commitId: `once-${context.name}.${context.next()}`,
    };
    const sentAt = sharedClock();
    await appendWithId(context, sent).catch((error: unknown) => {
      if (!SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
      // The error asks for this: the same commit id again, which is applied at most once.
      return appendWithId(context, { ...sent, ageMs: (sharedClock() - sentAt) / 1000 });
    });
    if (context.random.chance(0.3)) await appendWithId(context, sent);
  };
}

/** An append under a commit id, which is applied once however often it is sent. */
export interface RepeatableAppend {
  readonly session: string;
  readonly ids: readonly string[];
  readonly commitId: string;
  /** How long ago it was sent first; absent for the first time. */
  readonly ageMs?: number;
}

/** The counter shows whether the commit was applied twice. A second message with the same id would not show. */
export async function appendWithId(
  context: OperationContext,
  { session, ids, commitId, ageMs }: RepeatableAppend,
): Promise<void> {
  const { recorder, store, clock } = context;
  const ops = [append(ids.map(messageOf)), count({ applied: 1 })];
  const first = ageMs === undefined ? {} : { firstSentAt: Math.floor(clock.now() - ageMs) };
  const action = { kind: "append", ids, commitId } as const;
  await recorder.call(
    session,
    action,
    () => store.commit(session, ops, { commitId, ...first }),
    loggedResult,
  );
}
