import { GENERATED_COMMITS } from "@sessions/protocol";
import { parseStored } from "./damage.js";
import { topOf } from "./rising-ids.js";
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
    top: added.reduce((highest, [id]) => topOf(highest, id), before.top),
    newest,
  };
  return newest.length < NEWEST_KEPT ? counted : moved(statements, key, counted);
}

/** Puts the newest ones into the table. */
function moved(statements: Statements, key: number, counted: CountedGenerated): CountedGenerated {
  const { newest, n } = counted;
  const ids = newest.map(([id]) => Buffer.from(id)).sort(Buffer.compare);
  const [first = "", last = ""] = [ids[0]?.toString(), ids.at(-1)?.toString()];
  statements.addGenerated.run(key, last, first, n, JSON.stringify(newest));
  const kept = { ...counted, newest: [] };
  return kept.count > GENERATED_COMMITS.count + FORGOTTEN_AT_ONCE ? forgotten(statements, key, kept) : kept;
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
