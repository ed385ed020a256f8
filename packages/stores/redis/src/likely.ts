import type { Wanted } from "./missing.js";
import type { Moment } from "./moment.js";

/** So many fields are looked up in one go. */
const FIELDS_AT_ONCE = 1000;

/**
 * What is wanted, with what will be wanted next: a call that names thousands of messages asks for one of them after the other.
 * `likely`: the fields of all of them.
 */
export function withLikely(wanted: Wanted, likely: readonly string[], moment: Moment): Wanted {
  if (wanted.rows?.length === 1 && likely.length > 0)
    return { ...wanted, rows: [...new Set([...wanted.rows, ...heldRows(likely, moment)])] };
  const [field] = wanted.fields ?? [];
  const at = field === undefined ? -1 : likely.indexOf(field);
  return at < 0 ? wanted : { ...wanted, fields: likely.slice(at, at + FIELDS_AT_ONCE) };
}

/** The rows of these messages that the session holds and that are not in memory. */
function heldRows(likely: readonly string[], { lookups, runs, present, version }: Moment): readonly number[] {
  const rows = likely.flatMap((field) => lookups.fields.get(field)?.split(",").map(Number) ?? []);
  const table = present?.content.table;
  return rows.filter((row) => runs.positionOf(row) !== undefined && table?.get(row, version) === undefined);
}
