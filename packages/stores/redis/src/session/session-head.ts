import { Damage } from "@sessions/protocol/backend";
import type { MemoryCounts } from "@sessions/row-engine";
import { numberOf, textOf } from "../engine/reply.js";
import { FIELDS } from "../keys/fields.js";

/** What the record of a session says: see docs/formats/redis.md. */
export interface SessionHead {
  readonly revision: number;
  /** A new text with every write of commit.lua: with the revision it names one state of the session. */
  readonly version: string;
  /** The version that began this life: rows belong to it. */
  readonly life: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | undefined;
  /** By how much every use moves the end. */
  readonly renews: number | undefined;
  readonly nextRow: number;
  /** The version of its entry in the index; empty if there is none. */
  readonly index: string;
  readonly deletedAt: number | undefined;
  /** The token of the turn that runs. */
  readonly token: string | undefined;
  readonly given: MemoryCounts;
  readonly generated: MemoryCounts;
}

/** Reads the record as load.lua gives it, and whether it has as many fields as it should. */
export function readHead(
  lines: readonly string[],
  sizes: { readonly record: number; readonly session: number },
  location: string,
): SessionHead | undefined {
  const [
    revision,
    version,
    life,
    created,
    updated,
    expires,
    renews,
    next,
    index,
    ,
    deleted,
    fields,
    content,
  ] = lines;
  if (sizes.record === 0) return undefined;
  const required = (name: string, value: unknown): number => {
    const number = numberOf(value);
    if (number === undefined || Number.isNaN(number)) throw new Damage(location, `has no ${name}`);
    return number;
  };
  const optional = (name: string, value: unknown): number | undefined =>
    value ? required(name, value) : undefined;
  const counts = (line: string, [first, after, horizon]: readonly string[]): MemoryCounts => {
    const end = required(`${line}.next`, after);
    return memoryCounts(required(`${line}.first`, first), end, required(`${line}.horizon`, horizon));
  };
  const given = counts(FIELDS.GIVEN, lines.slice(13, 16));
  const generated = counts(FIELDS.GENERATED, lines.slice(16, 19));
  const nextRow = required("next row", next);
  // Two fields for each commit that is remembered, and two for each row: plain appends add those.
  requireCount(sizes.record, required("fields", fields) + 2 * (given.stored + generated.stored), location);
  if (sizes.session > 0)
    requireCount(sizes.session, required("content", content) + 2 * nextRow, `the session of ${location}`);
  return {
    revision: required("revision", revision),
    version: textOf(version) ?? "",
    life: textOf(life) ?? "",
    createdAt: required("created", created),
    updatedAt: required("updated", updated),
    expiresAt: optional("end", expires),
    renews: optional("renewal", renews),
    nextRow,
    index: textOf(index) ?? "",
    deletedAt: optional("time of its end", deleted),
    token: lines[19] || undefined,
    given,
    generated,
  };
}

/** A field that is missing, or that nobody has written. */
function requireCount(actual: number, expected: number, location: string): void {
  if (actual !== expected) throw new Damage(location, `has ${actual} fields instead of ${expected}`);
}

/** Entries from `first` up to and without `next`. The scripts forget by themselves. */
export function memoryCounts(first: number, next: number, horizon: number): MemoryCounts {
  return { next, stored: next - first, horizon, forgetAt: 0 };
}
