import { invalid } from "../../arguments/invalid-argument.js";
import type { Limits } from "../../arguments/limits.js";
import { optional } from "../../arguments/optional-field.js";
import { requireId } from "../../arguments/require-id.js";
import {
  requireArray,
  requireCount,
  requireRecord,
  requireString,
  requireTime,
} from "../../arguments/require-value.js";
import { UniqueNames } from "./unique-names.js";

/** Requires an integer that is not greater than the session's revision. */
export function requireRevision(value: unknown, path: string, session: number): number {
  const revision = requireCount(value, path);
  if (revision <= session) return revision;
  throw invalid(path, `is ${revision}, which is later than the session's revision, ${session}.`);
}

/** Checks the commits or finished turns that a session remembers. `revision` is the session's. */
export function checkMemory(value: unknown, path: string, revision: number, limits: Limits): void {
  const memory = requireRecord(value, path);
  if (requireTime(memory["horizon"], `${path}.horizon`) < 0)
    throw invalid(`${path}.horizon`, "must not be negative: 0 says that nothing was forgotten.");
  const ids = new UniqueNames("another entry");
  requireArray(memory["entries"], `${path}.entries`).forEach((entry, index) => {
    const at = `${path}.entries[${index}]`;
    const remembered = requireRecord(entry, at);
    ids.add(requireId(remembered["id"], `${at}.id`, limits), `${at}.id`);
    requireRevision(remembered["revision"], `${at}.revision`, revision);
    requireTime(remembered["at"], `${at}.at`);
    optional(remembered["digest"], `${at}.digest`, requireString);
    optional(remembered["skipped"], `${at}.skipped`, (skipped, where) => checkIds(skipped, where, limits));
  });
}

function checkIds(value: unknown, path: string, limits: Limits): void {
  for (const [index, id] of requireArray(value, path).entries()) requireId(id, `${path}[${index}]`, limits);
}
