import { KeyedVector, type Message, type MessageSequence } from "@sessions/protocol/backend";
import type { HistorySource } from "./history-source.js";

/** A stored message that was replaced. */
export interface ReplacedMessage {
  readonly id: string;
  readonly position: number;
  readonly message: Message;
}

/** The first `kept` messages of a source, some of them replaced, and messages after them. */
export class RowMessages implements MessageSequence {
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
