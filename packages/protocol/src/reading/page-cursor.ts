import { SessionError } from "../errors/session-error.js";
import { digestJson } from "../hash/digest-json.js";
import { decodeCursor, encodeCursor } from "../ids/cursor.js";
import type { Json } from "../json/json.js";
import { isRecord } from "../json/record.js";

/**
 * The cursors of one query: a backend's cursor together with the query. A cursor is a position in one order under one
 * set of filters, so it is refused with any other query.
 */
export class PageCursors {
  readonly #kind: string;
  readonly #asked: string;

  /** `kind` is the method of the cursor. `asked` is everything that determines the items and their order. */
  constructor(kind: string, asked: Json) {
    this.#kind = kind;
    this.#asked = digestJson(asked);
  }

  /** The caller's cursor for a backend's cursor. */
  wrap(from: string): string {
    return encodeCursor({ of: this.#kind, asked: this.#asked, from });
  }

  /** The backend's cursor. INVALID_ARGUMENT if it belongs to another query. */
  unwrap(cursor: string, path: string): string {
    const value: unknown = decodeCursor(cursor, path);
    if (!isPageCursor(value) || value.of !== this.#kind)
      throw refused(path, `is not a cursor of ${this.#kind}`);
    if (value.asked !== this.#asked)
      throw refused(path, "belongs to a query with another order or other filters");
    return value.from;
  }
}

/** Refuses the cursor of a list or a search where the cursor of a change is expected. */
export function refusePageCursor(cursor: string, path: string): void {
  let value: unknown;
  try {
    value = decodeCursor(cursor, path);
  } catch (error) {
    // Not made by `encodeCursor`: a backend may format the cursors of its changes differently.
    if (SessionError.is(error, "INVALID_ARGUMENT")) return;
    throw error;
  }
  if (!isPageCursor(value)) return;
  const message = `${path} is a cursor of ${value.of}: pass the cursor of a change.`;
  throw SessionError.of("INVALID_ARGUMENT", message, { path });
}

interface PageCursor {
  readonly of: string;
  readonly asked: string;
  readonly from: string;
}

function isPageCursor(value: unknown): value is PageCursor {
  return isRecord(value) && ["of", "asked", "from"].every((name) => typeof value[name] === "string");
}

function refused(path: string, problem: string): SessionError {
  const message = `${path} ${problem}: pass the cursor of the page before with the same query, or none to start anew.`;
  return SessionError.of("INVALID_ARGUMENT", message, { path });
}
