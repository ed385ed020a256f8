import {
  Damage,
  type ExtendOperation,
  extendedMessage,
  frozen,
  type Message,
  parseStored,
} from "@sessions/protocol/backend";
import type { RowCache, Runs, StoredMessage } from "@sessions/row-engine";
import {
  type ExtensionRow,
  extensionChecksum,
  type MessageRow,
  messageChecksum,
} from "../engine/tables/messages-table.js";
import type { Tables } from "../engine/tables/tables.js";
import { firstRowOf, logOf } from "./row-number.js";

/** Reads messages through the cache. */
export class MessageRows {
  readonly cache: RowCache<number>;
  readonly #table: Tables["messages"];
  readonly #ids: Tables["messageIds"];

  constructor({ messages, messageIds }: Pick<Tables, "messages" | "messageIds">, cache: RowCache<number>) {
    this.#table = messages;
    this.#ids = messageIds;
    this.cache = cache;
  }

  cached(row: number): StoredMessage | undefined {
    return this.cache.get(logOf(row), row);
  }

  /** Reads rows from the table. Drafts are not cached. */
  load(runs: Runs): ReadonlyMap<number, StoredMessage> {
    const loaded = new Map<number, StoredMessage>();
    for (const { from, to } of runs.list) {
      const extensions = byRow(this.#table.extensions(from, to));
      for (const found of this.#table.rows(from, to)) {
        const [row, , , , body] = found;
        const stored = this.cached(row) ?? decoded(found, extensions.get(row) ?? []);
        this.cache.put(logOf(row), row, stored, body.length);
        loaded.set(row, stored);
      }
    }
    return loaded;
  }

  /** Throws `Damage` if a row is missing. It costs as much as there are rows: for callers who looked for one and did not find it. */
  requireAll(runs: Runs): void {
    for (const { from, to } of runs.list) {
      if (this.#table.count(from, to) !== to - from)
        throw new Damage(`messages, rows ${from} to ${to - 1}`, "are not all there");
    }
  }

  rowsWithId(log: number, messageId: string): readonly number[] {
    return this.#ids.rowsWithId(log, { from: firstRowOf(log), to: firstRowOf(log + 1) }, messageId);
  }

  /** What is wrong with a run of rows on the disk. */
  *damageIn(from: number, to: number): Generator<Damage> {
    const extensions = byRow(this.#table.extensions(from, to));
    const found = new Map(this.#table.rows(from, to).map((row) => [row[0], row]));
    for (let row = from; row < to; row++) {
      const one = found.get(row);
      if (one === undefined) yield missingRow(row);
      else yield* damageOf(one, extensions.get(row) ?? []);
    }
  }
}

export function missingRow(row: number): Damage {
  return new Damage(`messages, row ${row}`, "is not there");
}

function byRow(extensions: readonly ExtensionRow[]): ReadonlyMap<number, readonly ExtensionRow[]> {
  const grouped = new Map<number, ExtensionRow[]>();
  for (const extension of extensions) {
    const group = grouped.get(extension[0]);
    if (group === undefined) grouped.set(extension[0], [extension]);
    else group.push(extension);
  }
  return grouped;
}

function decoded(
  [row, revision, crc, id, body]: MessageRow,
  extensions: readonly ExtensionRow[],
): StoredMessage {
  const location = `messages, row ${row}`;
  if (messageChecksum(row, id, revision, body) !== crc)
    throw new Damage(location, "does not match its checksum");
  let message = parseStored<Message>(body, location);
  for (const [n, extension] of extensions.entries()) {
    if (extension[1] !== n) throw new Damage(`extensions, row ${row}, number ${n}`, "is not there");
    message = extendedBy(message, extension);
  }
  return { message: frozen(message), revision };
}

function* damageOf(row: MessageRow, extensions: readonly ExtensionRow[]): Generator<Damage> {
  try {
    decoded(row, extensions);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    yield error;
  }
}

function extendedBy(message: Message, [row, n, revision, crc, op]: ExtensionRow): Message {
  const location = `extensions, row ${row}, number ${n}`;
  if (extensionChecksum(row, n, revision, op) !== crc)
    throw new Damage(location, "does not match its checksum");
  return extendedMessage(message, parseStored<ExtendOperation>(op, location), { sessionId: "" });
}
