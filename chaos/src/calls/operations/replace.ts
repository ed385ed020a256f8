import { type Message, SessionError } from "@sessions/protocol";
import { pauseRandomly } from "../../worker/random-pause.js";
import { loggedResult } from "./logged-result.js";
import { messageOf, newMessageId } from "./message.js";
import type { Operation, OperationContext } from "./operation-context.js";
import { readLive } from "./read-session.js";
import { type SharedKind, sharedSession } from "./shared-session.js";

const MAX_ATTEMPTS = 4;

/** Reads, waits as for a model, and replaces the history, as a bot does. `base` keeps what was appended meanwhile. */
export const replace: Operation = (context) => replaceFrom(context, "chat", () => false);

/** The same, but drops some of the messages: they must never come back. */
export const edit: Operation = (context) => replaceFrom(context, "edits", () => context.random.chance(0.1));

async function replaceFrom(
  context: OperationContext,
  kind: SharedKind,
  isDropped: (message: Message) => boolean,
): Promise<void> {
  const session = sharedSession(context, kind);
  for (let attempt = 1; ; attempt++) {
    try {
      return await replaceOnce(context, session, isDropped);
    } catch (error) {
      // Another process has rewritten the history since it was read: read it again.
      if (attempt >= MAX_ATTEMPTS || !SessionError.is(error, "REVISION_CONFLICT")) throw error;
    }
  }
}

async function replaceOnce(
  context: OperationContext,
  session: string,
  isDropped: (message: Message) => boolean,
): Promise<void> {
  const { store, recorder } = context;
  const read = await readLive(context, session);
  await pauseRandomly(context, 8);
  const messages = read?.messages ?? [];
  const removes = messages.filter(isDropped).map((message) => message.id);
  const kept = messages.filter((message) => !removes.includes(message.id));
  const id = newMessageId(context);
  const options = { base: read?.revision ?? 0 };
  const action = { kind: "insert", ids: [id], ...(removes.length > 0 && { removes }) } as const;
  const perform = (): ReturnType<typeof store.setChatHistory> =>
    store.setChatHistory(session, [...kept, messageOf(id)], options);
  await recorder.call(session, action, perform, loggedResult);
}
