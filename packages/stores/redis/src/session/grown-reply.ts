import { numberOf, textOf } from "../engine/reply.js";
import type { Asked, Loaded } from "./load-reply.js";
import { readRow } from "./row-text.js";
import { grownContent, type SessionEntry } from "./session-entry.js";
import { memoryCounts } from "./session-head.js";
import { NO_LOOKUPS } from "./wanted.js";

/** What load.lua has read if nothing has happened to the session but appends; `undefined` if it has read all of it. */
export function readGrown(reply: unknown, { id, askedAt, known }: Asked): Loaded | undefined {
  if (known?.head === undefined || known.content === undefined) return undefined;
  if (typeof reply === "number") return loadedOf({ ...known, now: reply, askedAt }, []);
  if (!Array.isArray(reply) || reply[0] !== "grown") return undefined;
  const [now = 0, revision = 0, updatedAt = 0, nextRow = 0, ...counts] = reply.slice(1, 11).map(numberOf);
  const [givenFirst = 0, givenNext = 0, givenHorizon = 0, first = 0, next = 0, horizon = 0] = counts;
  const head = {
    ...known.head,
    revision,
    updatedAt,
    nextRow,
    given: memoryCounts(givenFirst, givenNext, givenHorizon),
    generated: memoryCounts(first, next, horizon),
    expiresAt: numberOf(reply[11]),
  };
  const content = grownContent(known.content, known.head.nextRow, head);
  const texts = reply.slice(12).map(textOf);
  const firstRow = nextRow - texts.length;
  const rows = texts.flatMap((text, index) => {
    if (text === undefined) return []; // it is noticed by who needs it
    const row = firstRow + index;
    return [{ row, stored: readRow(text, [], `row ${row} of session ${id}`), size: text.length }];
  });
  const entry = { ...known, now, askedAt, head, content };
  return loadedOf(entry, rows);
}

function loadedOf(entry: SessionEntry, rows: Loaded["rows"]): Loaded {
  return { entry, rows, missing: [], answered: 0, lookups: NO_LOOKUPS };
}
