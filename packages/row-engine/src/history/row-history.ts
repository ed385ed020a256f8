import {
  type History,
  KeyedVector,
  type Message,
  type MessageSequence,
  PersistentVector,
  type Sequence,
} from "@sessions/protocol/backend";

/** The stored messages that a history begins with. Positions are from 0 to `length`. */
export interface HistorySource {
  readonly length: number;
  message(position: number): Message | undefined;
  /** The revision that added the message at a position. */
  revision(position: number): number | undefined;
  messages(from: number, to: number): Message[];
  revisions(from: number, to: number): number[];
  positionOf(messageId: string): number | undefined;
}

/** A history whose messages are stored. Operations read what they need of it; what they change is kept beside it. */
export function rowHistory(
  source: HistorySource,
  { liveFrom, archives, partials }: Pick<History, "liveFrom" | "archives" | "partials">,
): History {
  return {
    messages: new RowMessages(source),
    revisions: new RowRevisions(source),
    liveFrom,
    archives,
    partials,
  };
}

/** What of a history is stored, and what is not stored yet. */
export interface HistoryChanges {
  /** Absent where nothing of the history is stored. */
  readonly source?: HistorySource;
  /** How many of the source's messages it begins with. */
  readonly kept: number;
  /** Those of them that were replaced. */
  readonly replaced: readonly ReplacedMessage[];
  /** The messages after them, each with the revision that added it. */
  readonly added: readonly Message[];
  readonly revisions: readonly number[];
}

/** What a store has to write of a history after commits were applied to it. */
export function historyChangesOf({ messages, revisions }: History): HistoryChanges {
  if (!(messages instanceof RowMessages))
    return { kept: 0, replaced: NONE, added: messages.slice(), revisions: revisions.slice() };
  const { source, kept, replaced, added } = messages;
  return {
    source,
    kept,
    replaced: replaced.length === 0 ? NONE : replaced.slice(),
    added: added.length === 0 ? NONE : added.slice(),
    revisions: added.length === 0 ? NONE : revisions.slice(kept),
  };
}

const NONE: readonly never[] = [];

/** A stored message that was replaced. */
interface ReplacedMessage {
  readonly id: string;
  readonly position: number;
  readonly message: Message;
}

/** The first `kept` messages of a source, some of them replaced, and messages after them. */
class RowMessages implements MessageSequence {
  readonly source: HistorySource;
  readonly kept: number;
  readonly replaced: KeyedVector<ReplacedMessage>;
  readonly added: KeyedVector<Message>;

  constructor(
    source: HistorySource,
    kept: number = source.length,
    replaced: KeyedVector<ReplacedMessage> = KeyedVector.empty(),
    added: KeyedVector<Message> = KeyedVector.empty(),
  ) {
    this.source = source;
    this.kept = kept;
    this.replaced = replaced;
    this.added = added;
  }

  get length(): number {
    return this.kept + this.added.length;
  }

  get(index: number): Message | undefined {
    if (index >= this.kept) return this.added.get(index - this.kept);
    const message = this.source.message(index);
    return message === undefined ? undefined : (this.#replacement(message.id)?.message ?? message);
  }

  positionOf(id: string): number | undefined {
    const position = this.added.positionOf(id);
    if (position !== undefined) return this.kept + position;
    if (this.kept === 0) return undefined; // nothing is stored
    const stored = this.#replacement(id)?.position ?? this.source.positionOf(id);
    return stored !== undefined && stored < this.kept ? stored : undefined;
  }

  push(message: Message): RowMessages {
    return this.#with(this.kept, this.replaced, this.added.push(message));
  }

  pushAll(messages: readonly Message[]): RowMessages {
    return this.#with(this.kept, this.replaced, this.added.pushAll(messages));
  }

  set(index: number, message: Message): RowMessages {
    if (index >= this.kept)
      return this.#with(this.kept, this.replaced, this.added.set(index - this.kept, message));
    const { id } = message;
    const at = this.replaced.positionOf(id);
    const entry: ReplacedMessage = { id, position: index, message };
    return this.#with(
      this.kept,
      at === undefined ? this.replaced.push(entry) : this.replaced.set(at, entry),
      this.added,
    );
  }

  truncate(length: number): RowMessages {
    if (length >= this.length) return this;
    if (length >= this.kept)
      return this.#with(this.kept, this.replaced, this.added.truncate(length - this.kept));
    const replaced = this.replaced.slice().filter(({ position }) => position < length);
    return this.#with(length, KeyedVector.from(replaced), KeyedVector.empty());
  }

  slice(from = 0, to: number = this.length): Message[] {
    const stored = from < this.kept ? this.source.messages(from, Math.min(to, this.kept)) : [];
    for (const { position, message } of this.replaced) {
      if (position >= from && position < from + stored.length) stored[position - from] = message;
    }
    if (to <= this.kept) return stored;
    const added = this.added.slice(Math.max(0, from - this.kept), to - this.kept);
    return stored.length === 0 ? added : stored.concat(added);
  }

  #replacement(id: string): ReplacedMessage | undefined {
    const at = this.replaced.length === 0 ? undefined : this.replaced.positionOf(id);
    return at === undefined ? undefined : this.replaced.get(at);
  }

  #with(kept: number, replaced: KeyedVector<ReplacedMessage>, added: KeyedVector<Message>): RowMessages {
    return new RowMessages(this.source, kept, replaced, added);
  }
}

/** The revisions of the first `kept` messages of a source, and of messages after them. */
class RowRevisions implements Sequence<number> {
  readonly #source: HistorySource;
  readonly #kept: number;
  readonly added: PersistentVector<number>;

  constructor(
    source: HistorySource,
    kept: number = source.length,
    added: PersistentVector<number> = PersistentVector.empty(),
  ) {
    this.#source = source;
    this.#kept = kept;
    this.added = added;
  }

  get length(): number {
    return this.#kept + this.added.length;
  }

  get(index: number): number | undefined {
    return index < this.#kept ? this.#source.revision(index) : this.added.get(index - this.#kept);
  }

  push(revision: number): RowRevisions {
    return new RowRevisions(this.#source, this.#kept, this.added.push(revision));
  }

  pushAll(revisions: readonly number[]): RowRevisions {
    return new RowRevisions(this.#source, this.#kept, this.added.pushAll(revisions));
  }

  truncate(length: number): RowRevisions {
    if (length >= this.length) return this;
    const kept = Math.min(length, this.#kept);
    return new RowRevisions(this.#source, kept, this.added.truncate(length - kept));
  }

  slice(from = 0, to: number = this.length): number[] {
    const stored = from < this.#kept ? this.#source.revisions(from, Math.min(to, this.#kept)) : [];
    if (to <= this.#kept) return stored;
    return stored.concat(this.added.slice(Math.max(0, from - this.#kept), to - this.#kept));
  }
}
