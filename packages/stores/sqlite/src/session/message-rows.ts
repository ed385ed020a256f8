import type { Runs } from "@sessions/protocol/backend";
import {
  Damage,
  type ExtendOperation,
  extended,
  frozen,
  type Message,
  parseStored,
} from "@sessions/protocol/backend";
import { checksum } from "../engine/checksum.js";
import type { RowCache } from "../row-cache.js";
import { firstRow } from "./row-number.js";
import { RowsNeeded } from "../rows-needed.js";
import type { FragmentRow, MessageRow, Statements } from "../engine/statements.js";
import type { StoredMessage } from "../stored-message.js";

/** So many rows are read in one go; for more, the event loop gets its turns in between. */
export const ROWS_AT_ONCE = 500;

/** The messages in the table, through the cache. */
export class MessageRows {
  readonly cache: RowCache;
  readonly #statements: Statements;
  /** Where there is no way to wait, all are read at once. */
  patient = true;

  constructor(statements: Statements, cache: RowCache) {
    this.#statements = statements;
    this.cache = cache;
  }

  one(row: number): StoredMessage {
    return this.cache.get(row) ?? this.#loadOne(row);
  }

  /** Throws `RowsNeeded` if too many of them have to be read. */
  many(runs: Runs): readonly StoredMessage[] {
    const { stored, missing } = this.cache.collect(runs);
    if (missing === 0) return stored;
    if (this.patient && missing > ROWS_AT_ONCE) throw new RowsNeeded(runs);
    const held = this.load(runs);
    return runs.list.flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, index) => held.get(from + index) ?? this.one(from + index)),
    );
  }

  /** Reads rows that are not in the cache. */
  load(runs: Runs): ReadonlyMap<number, StoredMessage> {
    const held = new Map<number, StoredMessage>();
    for (const { from, to } of runs.list) {
      for (const [row, stored] of this.#loadRun(from, to)) held.set(row, stored);
    }
    return held;
  }

  /** Throws `Damage` if a row is not in the table. For who looked for one and did not find it: it costs as much as there are rows. */
  requireAll(runs: Runs): void {
    for (const { from, to } of runs.list) {
      if (this.#statements.countMessages.get(from, to) !== to - from)
        throw new Damage(`messages, rows ${from} to ${to - 1}`, "are not all there");
    }
  }

  /** The rows of a log whose message has this id: old versions too. Those that are in no index come last. */
  *rowsOf(log: number, id: string): Generator<number> {
    yield* this.#statements.indexedRows.all(log, id);
    const beyond = firstRow(log + 1);
    yield* this.#statements.unindexedRows.all(firstRow(log), beyond, beyond, id);
  }

  /** What is wrong with a run of rows on the disk. */
  *damageIn(from: number, to: number): Generator<Damage> {
    const fragments = grouped(this.#statements.fragments.all(from, to));
    const found = new Map(this.#statements.messages.all(from, to).map((row) => [row[0], row]));
    for (let row = from; row < to; row++) {
      const one = found.get(row);
      if (one === undefined) yield new Damage(`messages, row ${row}`, "is not there");
      else yield* problemsOf(one, fragments.get(row) ?? []);
    }
  }

  #loadOne(row: number): StoredMessage {
    for (const [found, stored] of this.#loadRun(row, row + 1)) if (found === row) return stored;
    throw new Damage(`messages, row ${row}`, "is not there");
  }

  *#loadRun(from: number, to: number): Generator<readonly [number, StoredMessage]> {
    const fragments = grouped(this.#statements.fragments.all(from, to));
    for (const found of this.#statements.messages.all(from, to)) {
      const [row] = found;
      const known = this.cache.get(row);
      const stored = known ?? decoded(found, fragments.get(row) ?? []);
      if (known === undefined) this.cache.put(row, stored, found[4].length);
      yield [row, stored];
    }
  }
}

function grouped(rows: readonly FragmentRow[]): ReadonlyMap<number, readonly FragmentRow[]> {
  const byRow = new Map<number, FragmentRow[]>();
  for (const fragment of rows) {
    const [row] = fragment;
    const known = byRow.get(row);
    if (known === undefined) byRow.set(row, [fragment]);
    else known.push(fragment);
  }
  return byRow;
}

function decoded(
  [row, revision, crc, id, body]: MessageRow,
  fragments: readonly FragmentRow[],
): StoredMessage {
  const location = `messages, row ${row}`;
  if (checksum(row, id, revision, body) !== crc) throw new Damage(location, "does not match its checksum");
  let message = parseStored<Message>(body, location);
  fragments.forEach((fragment, n) => {
    if (fragment[1] !== n) throw new Damage(`fragments, row ${row}, number ${n}`, "is not there");
    message = grown(message, fragment);
  });
  return { message: frozen(message), revision };
}

function* problemsOf(row: MessageRow, fragments: readonly FragmentRow[]): Generator<Damage> {
  try {
    decoded(row, fragments);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    yield error;
  }
}

function grown(message: Message, [row, n, crc, op]: FragmentRow): Message {
  const location = `fragments, row ${row}, number ${n}`;
  if (checksum(row, n, op) !== crc) throw new Damage(location, "does not match its checksum");
  return extended(message, parseStored<ExtendOperation>(op, location), { sessionId: "" });
}
