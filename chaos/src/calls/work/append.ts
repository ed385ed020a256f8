import { sharedClock } from "@sessions/conformance/multi-process";
import { append, count, SessionError } from "@sessions/protocol";
import { loggedResult } from "./logged-result.js";
import { messageOf, newMessageId } from "./message.js";
import { type SharedKind, sharedSession } from "./shared-session.js";
import type { Work, WorkContext } from "./work-context.js";

/** Adds a message, or a batch of them. */
export function appendTo(kind: SharedKind): Work {
  return async (place) => {
    await appendSome(place, sharedSession(place, kind));
  };
}

export async function appendSome(place: WorkContext, session: string): Promise<readonly string[]> {
  const { random, recorder, store } = place;
  const size = random.chance(0.2) ? random.between(2, 12) : 1;
  const ids = Array.from({ length: size }, () => newMessageId(place));
  const messages = ids.map(messageOf);
  await recorder.call(
    session,
    { kind: "append", ids },
    () => store.addMessage(session, messages),
    loggedResult,
  );
  return ids;
}

/** Adds a message under a commit id; now and then twice, as a webhook is delivered twice. */
export function appendOnceTo(kind: SharedKind): Work {
  return async (place) => {
    const session = sharedSession(place, kind);
    const once = { session, ids: [newMessageId(place)], commitId: `once-${place.name}.${place.next()}` };
    const sentAt = sharedClock();
    await sendOnce(place, once).catch((error: unknown) => {
      if (!SessionError.is(error, "OUTCOME_UNKNOWN")) throw error;
      // What the error says to do: the same again, which counts once.
      return sendOnce(place, { ...once, ageMs: (sharedClock() - sentAt) / 1000 });
    });
    if (place.random.chance(0.3)) await sendOnce(place, once);
  };
}

/** An append that may be sent again and counts once. */
export interface Once {
  readonly session: string;
  readonly ids: readonly string[];
  readonly commitId: string;
  /** How long ago it was first sent. */
  readonly ageMs?: number;
}

/** The counter is what would show a second time: a message of the same id would not. */
export async function sendOnce(place: WorkContext, { session, ids, commitId, ageMs }: Once): Promise<void> {
  const { recorder, store, clock } = place;
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
