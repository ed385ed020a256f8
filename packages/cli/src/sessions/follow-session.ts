import { type Message, type Session, SessionError, type SessionStore } from "@sessions/protocol";

/** Receives the messages of a session as they change. */
export interface TailView {
  /** A new message. A draft may still be empty. */
  message(message: Message): Promise<void>;
  /** A message that was shown has changed. */
  changed(message: Message, before: Message): Promise<void>;
  /** Messages that were shown have been reverted, replaced or removed. */
  rewritten(messageIds: readonly string[]): Promise<void>;
  deleted(): Promise<void>;
}

/** Shows the messages of a session, then every change until the signal aborts. */
export async function followSession(
  store: SessionStore,
  session: Session,
  view: TailView,
  { follow, signal }: { readonly follow: boolean; readonly signal: AbortSignal },
): Promise<void> {
  let shown = session.messages;
  for (const message of shown) await view.message(message);
  if (!follow) return;
  for await (const { deleted } of store.watch({ session: session.id, since: session.revision, signal })) {
    const now = deleted === true ? undefined : await readSince(store, session.id, shown, signal);
    if (now === undefined) {
      await view.deleted();
      shown = [];
    } else {
      shown = await showChanges(shown, now, view);
    }
  }
  signal.throwIfAborted();
}

interface Since {
  /** The index of the first of these messages among the shown ones. */
  readonly from: number;
  readonly messages: readonly Message[];
}

/** Reads the messages from the first one on that may still change. Returns `undefined` if the session is deleted. */
async function readSince(
  store: SessionStore,
  id: string,
  shown: readonly Message[],
  signal: AbortSignal,
): Promise<Since | undefined> {
  const settled = shown.findIndex(({ status }) => status === "partial");
  const from = settled === -1 ? shown.length : settled;
  const after = shown[from - 1]?.id;
  try {
    const messages = after === undefined ? "all" : { after };
    const session = await store.getSession(id, { messages, signal });
    return session === undefined ? undefined : { from, messages: session.messages };
  } catch (error) {
    if (!SessionError.is(error, "MESSAGE_NOT_FOUND")) throw error;
    const session = await store.getSession(id, { signal });
    return session === undefined ? undefined : { from: 0, messages: session.messages };
  }
}

async function showChanges(
  shown: readonly Message[],
  now: Since,
  view: TailView,
): Promise<readonly Message[]> {
  const open = new Map(shown.slice(now.from).map((message) => [message.id, message]));
  const there = new Set(now.messages.map(({ id }) => id));
  const gone = [...open.keys()].filter((id) => !there.has(id));
  if (gone.length > 0) await view.rewritten(gone);
  for (const message of now.messages) {
    const before = open.get(message.id);
    if (before === undefined) await view.message(message);
    else if (JSON.stringify(before) !== JSON.stringify(message)) await view.changed(message, before);
  }
  return [...shown.slice(0, now.from), ...now.messages];
}
