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

/** The number of messages that are compared when older ones have gone. */
const MAX_COMPARED = 1000;

/** Shows what changes in a session. */
export class SessionFollower {
  readonly #store: SessionStore;
  readonly #id: string;
  readonly #view: TailView;
  /** The newest messages, shown or not. */
  #known: readonly Message[];
  /** Those of them that are not shown. */
  readonly #hidden: Set<string>;

  /** `known`: the newest messages. They are not shown unless `show` is called, or one of them changes. */
  constructor(store: SessionStore, id: string, view: TailView, known: readonly Message[]) {
    this.#store = store;
    this.#id = id;
    this.#view = view;
    this.#known = known;
    this.#hidden = new Set(known.map((message) => message.id));
  }

  /** Shows the known messages. */
  async show(): Promise<void> {
    for (const message of this.#known) await this.#showNew(message);
  }

  /** Reads the session again, and shows what has changed. */
  async update(signal: AbortSignal): Promise<void> {
    const now = await this.#readOpen(signal);
    if (now === undefined) return this.deleted();
    const open = new Map(this.#known.slice(now.from).map((message) => [message.id, message]));
    const there = new Set(now.messages.map(({ id }) => id));
    const gone = [...open.keys()].filter((id) => !there.has(id) && !this.#hidden.delete(id));
    if (gone.length > 0) await this.#view.rewritten(gone);
    for (const message of now.messages) {
      const before = open.get(message.id);
      const isChanged = before !== undefined && JSON.stringify(before) !== JSON.stringify(message);
      if (before === undefined || (isChanged && this.#hidden.has(message.id))) await this.#showNew(message);
      else if (isChanged) await this.#view.changed(message, before);
    }
    this.#known = [...this.#known.slice(0, now.from), ...now.messages].slice(-MAX_COMPARED);
  }

  /** The session was deleted. One of the same id begins anew. */
  async deleted(): Promise<void> {
    this.#known = [];
    this.#hidden.clear();
    await this.#view.deleted();
  }

  async #showNew(message: Message): Promise<void> {
    this.#hidden.delete(message.id);
    await this.#view.message(message);
  }

  /** Reads the messages that may have changed: the first draft and all behind it. Returns `undefined` if the session is deleted. */
  async #readOpen(signal: AbortSignal): Promise<Open | undefined> {
    const draft = this.#known.findIndex(({ status }) => status === "partial");
    const from = draft === -1 ? this.#known.length : draft;
    const after = this.#known[from - 1]?.id;
    if (after === undefined) return this.#readKnown(signal);
    try {
      const session = await this.#store.getSession(this.#id, { messages: { after }, signal });
      return session === undefined ? undefined : { from, messages: session.messages };
    } catch (error) {
      if (!SessionError.is(error, "MESSAGE_NOT_FOUND")) throw error;
      return this.#readKnown(signal); // the message was removed
    }
  }

  /** Reads the messages from the first known one on. Older messages are not new. */
  async #readKnown(signal: AbortSignal): Promise<Open | undefined> {
    const session = await this.#store.getSession(this.#id, { messages: "all", signal });
    if (session === undefined) return undefined;
    const [oldest] = this.#known;
    if (oldest === undefined) return { from: 0, messages: session.messages };
    const known = new Set(this.#known.map(({ id }) => id));
    const first = session.messages.findIndex(({ id }) => known.has(id));
    const messages =
      first === -1
        ? session.messages.filter(({ createdAt }) => createdAt >= oldest.createdAt)
        : session.messages.slice(first);
    return { from: 0, messages };
  }
}

interface Open {
  /** The index of the first of these messages among the known ones. */
  readonly from: number;
  readonly messages: readonly Message[];
}

/** Shows the newest messages of a session, then every change until the signal aborts. */
export async function followSession(
  store: SessionStore,
  session: Session,
  follower: SessionFollower,
  signal: AbortSignal,
): Promise<void> {
  for await (const { deleted } of store.watch({ session: session.id, since: session.revision, signal }))
    await (deleted === true ? follower.deleted() : follower.update(signal));
  signal.throwIfAborted();
}
