import type { HistorySource, Message } from "@sessions/protocol";
import type { MessageRows } from "./message-rows.js";
import { isBeyondTop } from "./rising-ids.js";
import { type Segment, Segments } from "./segments.js";
import type { StoredMessage } from "./stored-message.js";

/** A history as rows hold it. */
export class RowSource implements HistorySource {
  readonly segments: Segments;
  readonly #rows: MessageRows;
  /** No id in it is greater. */
  readonly #topId: string;

  constructor(segments: Segments, rows: MessageRows, topId: string) {
    this.segments = segments;
    this.#rows = rows;
    this.#topId = topId;
  }

  get length(): number {
    return this.segments.length;
  }

  message(position: number): Message | undefined {
    const at = this.segments.at(position);
    return at === undefined ? undefined : this.#rows.one(at.row).message;
  }

  revision(position: number): number | undefined {
    const at = this.segments.at(position);
    return at === undefined ? undefined : (at.segment.revision ?? this.#rows.one(at.row).revision);
  }

  messages(from: number, to: number): Message[] {
    return this.#stored(from, to).map(({ message }) => message);
  }

  revisions(from: number, to: number): number[] {
    const { list } = this.segments.slice(from, to);
    return list.flatMap((segment) => this.#revisionsOf(segment));
  }

  positionOf(id: string): number | undefined {
    if (isBeyondTop(id, this.#topId)) return undefined;
    for (const log of this.segments.logs) {
      for (const row of this.#rows.rowsOf(log, id)) {
        const position = this.segments.positionOf(row);
        if (position !== undefined) return position;
      }
    }
    return undefined;
  }

  #stored(from: number, to: number): readonly StoredMessage[] {
    return this.#rows.many(this.segments.slice(from, to));
  }

  #revisionsOf(segment: Segment): readonly number[] {
    const { from, to, revision } = segment;
    if (revision !== undefined) return new Array<number>(to - from).fill(revision);
    return this.#rows.many(new Segments([segment])).map((stored) => stored.revision);
  }
}
