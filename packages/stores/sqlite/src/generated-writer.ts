import { GENERATED_COMMITS, parseStored } from "@sessions/protocol/backend";
import { isAscii, topOf } from "./rising-ids.js";
import type { Statements } from "./statements.js";
import type { CountedGenerated, GeneratedEntry } from "./stored-memory.js";

/** Forgetting is done for so many at once: each time all that is remembered is looked through. */
export const FORGOTTEN_AT_ONCE = 512;

/** Before there are so many generated commit ids in the session's row, they are moved to the table. */
const NEWEST_KEPT = 16;

/** Remembers generated commit ids of a session: in its row, and now and then in the table. */
export function addGenerated(
  statements: Statements,
  key: number,
  before: CountedGenerated,
  added: readonly GeneratedEntry[],
): CountedGenerated {
  const newest = [...before.newest, ...added];
  const counted = {
    n: before.n + added.length,
    count: before.count + added.length,
    horizon: before.horizon,
    top: highestOf(before.top, added),
    newest,
  };
  return newest.length < NEWEST_KEPT ? counted : moved(statements, key, counted);
}

function highestOf(top: string, added: readonly GeneratedEntry[]): string {
  let highest = top;
  for (const [id] of added) highest = topOf(highest, id);
  return highest;
}

/** Puts the newest ones into the table. */
function moved(statements: Statements, key: number, counted: CountedGenerated): CountedGenerated {
  const { newest, n } = counted;
  const { first, last } = rangeOf(newest);
  statements.addGenerated.run(key, last, first, n, JSON.stringify(newest));
  const kept = { ...counted, newest: [] };
  return kept.count > GENERATED_COMMITS.count + FORGOTTEN_AT_ONCE ? forgotten(statements, key, kept) : kept;
}

/** The least and the greatest of their ids, as SQLite compares them: byte by byte. */
function rangeOf(entries: readonly GeneratedEntry[]): { readonly first: string; readonly last: string } {
  const ids = entries.map(([id]) => id);
  const ordered = ids.every(isAscii) ? ids.sort() : ids.sort(byBytes);
  return { first: ordered[0] ?? "", last: ordered.at(-1) ?? "" };
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function forgotten(statements: Statements, key: number, counted: CountedGenerated): CountedGenerated {
  const before = counted.n - GENERATED_COMMITS.count;
  const entries = statements.generatedBefore
    .all(key, before)
    .flatMap((block) => parseStored<readonly GeneratedEntry[]>(block, `generated of session ${key}`));
  statements.forgetGenerated.run(key, before);
  const horizon = entries.reduce((newest, [, , at]) => Math.max(newest, at), counted.horizon);
  return { ...counted, count: counted.count - entries.length, horizon };
}
