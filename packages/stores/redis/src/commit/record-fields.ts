import { FIELDS } from "../keys/fields.js";
import type { SessionHead } from "../session/session-head.js";
import type { Expiry, Pair } from "./commit-write.js";

/** The fields of a record that are other ones than before, and those that go. */
export function recordDifference(
  before: SessionHead | undefined,
  after: SessionHead,
): { readonly fields: readonly Pair[]; readonly gone: readonly string[] } {
  const old = before === undefined ? new Map<string, string | number | undefined>() : recordOf(before);
  const fields: Pair[] = [];
  const gone: string[] = [];
  for (const [name, value] of recordOf(after)) {
    if (value === old.get(name)) continue;
    if (value === undefined) gone.push(name);
    else fields.push([name, value]);
  }
  return { fields, gone };
}

function recordOf(head: SessionHead): ReadonlyMap<string, string | number | undefined> {
  return new Map<string, string | number | undefined>([
    [FIELDS.REVISION, head.revision],
    [FIELDS.VERSION, head.version],
    [FIELDS.LIFE, head.life],
    [FIELDS.CREATED, head.createdAt],
    [FIELDS.UPDATED, head.updatedAt],
    [FIELDS.EXPIRES, head.expiresAt],
    [FIELDS.RENEWS, head.renews],
    [FIELDS.NEXT, head.nextRow],
    [FIELDS.TOKEN, head.token],
    [FIELDS.INDEX, head.index === "" ? undefined : head.index],
    [FIELDS.DELETED, head.deletedAt],
  ]);
}

/** The last time that Redis takes for an expiry, and JavaScript for a date. */
const END_OF_TIME = 8.64e15;

/** Redis counts in whole milliseconds, which callers need not, and still shows a key in the very millisecond in which it ends. */
export function expiryAt(time: number): Expiry {
  return time >= END_OF_TIME ? "never" : Math.max(1, Math.ceil(time) - 1);
}
