import { refuseNewer } from "./error-mapping.js";
import type { Head, Present } from "./moment.js";
import { listOf, numberOf, textOf } from "./reply.js";

/** So many rows are asked for beyond those that are known, and more if more were new the last time. */
const LEAST_ROWS = 2;
const MOST_ROWS = 64;

const HEAD = ["o", "r", "n", "u", "v"];
const HEAD_FIELDS = HEAD.length;

/** What is asked of a session that was read before: whether only messages were added since, and the first of them. */
export class Glance {
  readonly fields: readonly string[];
  readonly #known: Present;
  /** The first row that is asked for. When the answer comes, the table may have more. */
  readonly #from: number;

  constructor(known: Present, wantsRows: boolean) {
    const { table } = known.content;
    const rows = wantsRows ? Math.min(Math.max(LEAST_ROWS, 2 * table.newRows), MOST_ROWS) : 0;
    const fields = [...HEAD];
    for (let row = table.end; row < table.end + rows; row++) fields.push(`m${row}`);
    this.fields = fields;
    this.#known = known;
    this.#from = table.end;
  }

  /**
   * The session as it is now, or `undefined` if it has to be read as a whole: all but plain appends write another version of the
   * small state, so what is known of it is still so. Field by field: nearly every reading comes here, and a spread costs more.
   */
  read(reply: unknown, location: string): Present | undefined {
    const { head: before, content } = this.#known;
    const fields = listOf(reply);
    refuseNewer(fields[4]);
    if (fields[0] !== before.version) return undefined;
    const head: Head = {
      revision: numberOf(fields[1]) ?? Number.NaN,
      incarnation: before.incarnation,
      life: before.life,
      expiresAt: before.expiresAt,
      nextRow: numberOf(fields[2]) ?? Number.NaN,
      updatedAt: numberOf(fields[3]) ?? Number.NaN,
      lease: before.lease,
      version: before.version,
      partsVersion: before.partsVersion,
      turnHorizon: before.turnHorizon,
    };
    const isSound = Number.isSafeInteger(head.revision) && Number.isSafeInteger(head.nextRow);
    if (!isSound || Number.isNaN(head.updatedAt)) return undefined;
    const rows = fields.length - HEAD_FIELDS;
    if (rows > 0) content.table.newRows = head.nextRow - this.#from;
    if (rows > 0 && head.nextRow > this.#from + rows) return undefined;
    for (let index = 0; index < rows; index++) {
      const row = this.#from + index;
      const text = textOf(fields[HEAD_FIELDS + index]);
      if (text !== undefined && row < head.nextRow)
        content.table.read(row, text, `${location}, field m${row}`, head.version);
    }
    return { head, content };
  }
}
