import type { Head, Present } from "./moment.js";
import { numberOf, textsOf } from "./reply.js";

/** So many rows are asked for beyond those that are known, and more if more were new the last time. */
const LEAST_ROWS = 2;
const MOST_ROWS = 64;

/** What is asked of a session that was read before: whether only messages were added since, and the first of them. */
export class Glance {
  readonly fields: readonly string[];
  readonly #known: Present;
  /** The first row that is asked for. When the answer comes, the table may have more. */
  readonly #from: number;

  constructor(known: Present, wantsRows: boolean) {
    const { table } = known.content;
    const rows = wantsRows ? Math.min(Math.max(LEAST_ROWS, 2 * table.newRows), MOST_ROWS) : 0;
    const fields = ["o", "r", "n", "u"];
    for (let row = table.end; row < table.end + rows; row++) fields.push(`m${row}`);
    this.fields = fields;
    this.#known = known;
    this.#from = table.end;
  }

  /**
   * The session as it is now, or `undefined` if it has to be read as a whole: all but plain appends write another version of the
   * small state, so what is known of it is still so.
   */
  read(reply: unknown, location: string): Present | undefined {
    const { head: before, content } = this.#known;
    const [version, revision, nextRow, updatedAt, ...rows] = textsOf(reply);
    if (version !== before.version) return undefined;
    const head: Head = {
      ...before,
      revision: numberOf(revision) ?? Number.NaN,
      nextRow: numberOf(nextRow) ?? Number.NaN,
      updatedAt: numberOf(updatedAt) ?? Number.NaN,
    };
    const isSound = Number.isSafeInteger(head.revision) && Number.isSafeInteger(head.nextRow);
    if (!isSound || Number.isNaN(head.updatedAt)) return undefined;
    if (rows.length > 0) content.table.newRows = head.nextRow - this.#from;
    if (rows.length > 0 && head.nextRow > this.#from + rows.length) return undefined;
    rows.forEach((text, index) => {
      const row = this.#from + index;
      if (text !== undefined && row < head.nextRow)
        content.table.read(row, text, `${location}, field m${row}`, head.version);
    });
    return { head, content };
  }
}
