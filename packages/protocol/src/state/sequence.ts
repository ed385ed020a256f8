import type { Message } from "../message/message.js";

/** An immutable list with the methods that operations need. Its items are in memory or in an engine. */
export interface Sequence<Item> {
  readonly length: number;
  get(index: number): Item | undefined;
  push(item: Item): Sequence<Item>;
  pushAll(items: readonly Item[]): Sequence<Item>;
  /** The first `length` items, or the list itself if it has no more. */
  truncate(length: number): Sequence<Item>;
  /** A new array. The bounds are positions from 0 to `length`. */
  slice(from?: number, to?: number): Item[];
}

/** The messages of a history. Ids are unique, and `set` must keep the id. */
export interface MessageSequence extends Sequence<Message> {
  positionOf(id: string): number | undefined;
  push(message: Message): MessageSequence;
  pushAll(messages: readonly Message[]): MessageSequence;
  set(index: number, message: Message): MessageSequence;
  truncate(length: number): MessageSequence;
}
