import type { History, Message } from "@sessions/protocol/backend";
import { type Run, Runs } from "../runs/runs.js";
import { isAfterMaxId } from "../session/max-id.js";
import type { SessionRows } from "../session/session-rows.js";
import { type HistorySource, historyChangesOf } from "./row-history.js";

/** Messages that are stored in rows. */
export class RowSource implements HistorySource {
  readonly runs: Runs;
  readonly #rows: SessionRows;
  readonly #maxId: string;

  constructor(runs: Runs, rows: SessionRows, maxId: string) {
    this.runs = runs;
    this.#rows = rows;
    this.#maxId = maxId;
  }

  get length(): number {
    return this.runs.length;
  }

  message(position: number): Message | undefined {
    const at = this.runs.at(position);
    return at === undefined ? undefined : this.#rows.message(at.row).message;
  }

  revision(position: number): number | undefined {
    const at = this.runs.at(position);
    return at === undefined ? undefined : (at.run.revision ?? this.#rows.message(at.row).revision);
  }

  messages(from: number, to: number): Message[] {
    return this.#rows.messages(this.runs.slice(from, to)).map(({ message }) => message);
  }

  revisions(from: number, to: number): number[] {
    return this.runs.slice(from, to).list.flatMap((run) => this.#revisionsOf(run));
  }

  positionOf(messageId: string): number | undefined {
    if (isAfterMaxId(messageId, this.#maxId)) return undefined;
    for (const row of this.#rows.rowsOf(messageId)) {
      const position = this.runs.positionOf(row);
      if (position !== undefined) return position;
    }
    return undefined;
  }

  #revisionsOf(run: Run): readonly number[] {
    const { from, to, revision } = run;
    if (revision !== undefined) return new Array<number>(to - from).fill(revision);
    return this.#rows.messages(new Runs([run])).map((stored) => stored.revision);
  }
}

/** The rows that a stored history began with. */
export function storedRunsOf(history: History): Runs {
  const { source } = historyChangesOf(history);
  return source instanceof RowSource ? source.runs : Runs.EMPTY;
}
