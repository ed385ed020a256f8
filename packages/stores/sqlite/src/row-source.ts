import type { HistorySource, Message } from "@sessions/protocol/backend";
import { type Run, Runs } from "@sessions/protocol/backend";
import type { MessageRows } from "./message-rows.js";
import { isBeyondTop } from "./rising-ids.js";
import { logsIn } from "./row-number.js";
import type { StoredMessage } from "./stored-message.js";

/** A history as rows hold it. */
export class RowSource implements HistorySource {
  readonly runs: Runs;
  readonly #rows: MessageRows;
  /** No id in it is greater. */
  readonly #topId: string;

  constructor(runs: Runs, rows: MessageRows, topId: string) {
    this.runs = runs;
    this.#rows = rows;
    this.#topId = topId;
  }

  get length(): number {
    return this.runs.length;
  }

  message(position: number): Message | undefined {
    const at = this.runs.at(position);
    return at === undefined ? undefined : this.#rows.one(at.row).message;
  }

  revision(position: number): number | undefined {
    const at = this.runs.at(position);
    return at === undefined ? undefined : (at.run.revision ?? this.#rows.one(at.row).revision);
  }

  messages(from: number, to: number): Message[] {
    return this.#stored(from, to).map(({ message }) => message);
  }

  revisions(from: number, to: number): number[] {
    const { list } = this.runs.slice(from, to);
    return list.flatMap((run) => this.#revisionsOf(run));
  }

  positionOf(id: string): number | undefined {
    if (isBeyondTop(id, this.#topId)) return undefined;
    for (const log of logsIn(this.runs)) {
      for (const row of this.#rows.rowsOf(log, id)) {
        const position = this.runs.positionOf(row);
        if (position !== undefined) return position;
      }
    }
    return undefined;
  }

  #stored(from: number, to: number): readonly StoredMessage[] {
    return this.#rows.many(this.runs.slice(from, to));
  }

  #revisionsOf(run: Run): readonly number[] {
    const { from, to, revision } = run;
    if (revision !== undefined) return new Array<number>(to - from).fill(revision);
    return this.#rows.many(new Runs([run])).map((stored) => stored.revision);
  }
}
