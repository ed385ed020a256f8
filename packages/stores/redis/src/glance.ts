import type { Head, Present } from "./moment.js";
import { numberOf, textsOf } from "./reply.js";

/** So many rows are asked for beyond those that are known, and more if more were new the last time. */
const LEAST_ROWS = 2;
const MOST_ROWS = 64;

/** What is asked of a session that was read before: whether only messages were added since, and the first of them. */
export function glanceFields({ content: { table } }: Present, wantsRows: boolean): readonly string[] {
  const fields = ["o", "r", "n", "u"];
  const rows = wantsRows ? Math.min(Math.max(LEAST_ROWS, 2 * table.newRows), MOST_ROWS) : 0;
  for (let row = table.end; row < table.end + rows; row++) fields.push(`m${row}`);
  return fields;
}

/**
 * The session as it is now, or `undefined` if it has to be read as a whole: all but plain appends write another version of the
 * small state, so what is known of it is still so.
 */
export function readGlance(
  reply: unknown,
  { head: before, content }: Present,
  location: string,
): Present | undefined {
  const [version, revision, nextRow, updatedAt, ...rows] = textsOf(reply);
  if (version !== before.version) return undefined;
  const head: Head = {
    ...before,
    revision: numberOf(revision) ?? Number.NaN,
    nextRow: numberOf(nextRow) ?? Number.NaN,
    updatedAt: numberOf(updatedAt) ?? Number.NaN,
  };
  const isSound = Number.isSafeInteger(head.revision) && Number.isSafeInteger(head.nextRow);
  const { end } = content.table;
  if (!isSound || Number.isNaN(head.updatedAt)) return undefined;
  if (rows.length > 0) content.table.newRows = head.nextRow - end;
  if (rows.length > 0 && head.nextRow > end + rows.length) return undefined;
  rows.forEach((text, index) => {
    const row = end + index;
    if (text !== undefined && row < head.nextRow)
      content.table.read(row, text, `${location}, field m${row}`, head.version);
  });
  return { head, content };
}
