import { type Message, SessionError } from "@sessions/protocol";
import { idle } from "./idle.js";
import { loggedResult } from "./logged-result.js";
import { messageOf, newMessageId } from "./message.js";
import { readLive } from "./read-session.js";
import { type SharedKind, sharedSession } from "./shared-session.js";
import type { Work, WorkContext } from "./work-context.js";

const TRIES = 4;

/** As a bot does it: read, let the model think, replace everything. `base` is what makes that safe. */
export const replace: Work = (place) => replaceFrom(place, "chat", () => false);

/** The same, and some of what was read is dropped: it must never come back. */
export const edit: Work = (place) => replaceFrom(place, "edits", () => place.random.chance(0.1));

async function replaceFrom(
  place: WorkContext,
  kind: SharedKind,
  isDropped: (message: Message) => boolean,
): Promise<void> {
  const session = sharedSession(place, kind);
  for (let tries = 1; ; tries++) {
    try {
      return await replaceOnce(place, session, isDropped);
    } catch (error) {
      // Somebody else has rewritten the history since it was read: read it again.
      if (tries >= TRIES || !SessionError.is(error, "REVISION_CONFLICT")) throw error;
    }
  }
}

async function replaceOnce(
  place: WorkContext,
  session: string,
  isDropped: (message: Message) => boolean,
): Promise<void> {
  const { store, recorder } = place;
  const read = await readLive(place, session);
  await idle(place, 8);
  const held = read?.messages ?? [];
  const removes = held.filter(isDropped).map((message) => message.id);
  const kept = held.filter((message) => !removes.includes(message.id));
  const id = newMessageId(place);
  const options = { base: read?.revision ?? 0 };
  const action = { kind: "insert", ids: [id], ...(removes.length > 0 && { removes }) } as const;
  const perform = (): ReturnType<typeof store.setChatHistory> =>
    store.setChatHistory(session, [...kept, messageOf(id)], options);
  await recorder.call(session, action, perform, loggedResult);
}
