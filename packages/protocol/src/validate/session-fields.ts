import { invalid, tooLarge, within } from "../arguments/invalid-argument.js";
import type { Limits } from "../arguments/limits.js";
import { requireEntries } from "../arguments/lists.js";
import { field, optional } from "../arguments/optional-field.js";
import { requireRecord, requireString } from "../arguments/require-value.js";
import { shown } from "../arguments/shown-value.js";
import { utf8Length } from "../encoding/utf8-length.js";
import { cloneJson } from "../json/clone-json.js";
import type { Json, JsonObject } from "../json/json.js";
import type { SetOperation } from "../operations/operation.js";
import { requireExpiry } from "./expiry.js";

/** Checks title, labels, metadata and expiry. `null` removes. */
export function requirePatch(value: unknown, path: string, limits: Limits): SetOperation {
  const patch = requireRecord(value, path);
  const orNull =
    <Value>(check: (value: unknown, path: string) => Value) =>
    (given: unknown, at: string) =>
      given === null ? null : check(given, at);
  return {
    op: "set",
    ...field(
      "title",
      optional(
        patch["title"],
        within(path, "title"),
        orNull((title, at) => requireTitle(title, at, limits)),
      ),
    ),
    ...labelPatch(patch["labels"], within(path, "labels"), limits),
    ...field(
      "metadata",
      optional(patch["metadata"], within(path, "metadata"), (given, at) =>
        requireMetadata(given, at, limits),
      ),
    ),
    ...requireExpiry(patch, path),
  };
}

export function requireTitle(value: unknown, path: string, limits: Limits): string {
  const title = requireString(value, path);
  if (utf8Length(title) > limits.metadataBytes) throw tooLarge(path, utf8Length(title), limits.metadataBytes);
  return title;
}

/** Requires metadata with one JSON value per key. `undefined` is refused, because it usually is a forgotten value. */
export function requireMetadata(value: unknown, path: string, limits: Limits): JsonObject {
  const entries = requireEntries(value, path, limits.items).map(([key, given]): [string, Json] => {
    const at = `${path}.${key}`;
    if (given === undefined)
      throw invalid(at, "is undefined. Use null to remove a key, or leave it out to keep it.");
    return [key, cloneJson(given, at, limits.metadataBytes).value];
  });
  return Object.fromEntries(entries);
}

/** Requires labels for a new session or a query. `null` is refused. */
export function requireLabels(
  value: unknown,
  path: string,
  limits: Limits,
): Readonly<Record<string, string>> {
  return labelsOf(requireEntries(value, path, limits.items), path, limits);
}

function labelsOf(
  given: readonly (readonly [string, unknown])[],
  path: string,
  limits: Limits,
): Readonly<Record<string, string>> {
  if (given.length > limits.labels) throw tooManyLabels(path, given.length, limits);
  const entries = given.map(([name, label]): [string, string] => {
    checkLabel(name, path, limits);
    const text = requireString(label, `${path}.${name}`);
    checkLabel(text, `${path}.${name}`, limits);
    return [name, text];
  });
  return Object.fromEntries(entries);
}

function labelPatch(
  value: unknown,
  path: string,
  limits: Limits,
): Pick<SetOperation, "labels" | "maxLabels"> {
  if (value === undefined) return {};
  const entries = requireEntries(value, path, limits.items);
  const removed = entries.filter(([, label]) => label === null).map(([name]) => [name, null] as const);
  const kept = labelsOf(
    entries.filter(([, label]) => label !== null),
    path,
    limits,
  );
  return { labels: Object.fromEntries([...Object.entries(kept), ...removed]), maxLabels: limits.labels };
}

function checkLabel(text: string, path: string, limits: Limits): void {
  if (!text.isWellFormed())
    throw invalid(path, "must be well-formed Unicode; it holds half of a surrogate pair.");
  if (utf8Length(text) > limits.labelBytes) throw tooLarge(path, utf8Length(text), limits.labelBytes);
}

function tooManyLabels(path: string, count: number, limits: Limits): Error {
  return tooLarge(`${path} (number of labels)`, count, limits.labels);
}

/** Requires an integer for each name. */
export function requireCounters(
  value: unknown,
  path: string,
  limits: Limits,
): Readonly<Record<string, number>> {
  const entries = requireEntries(value, path, limits.items).map(([name, given]): [string, number] => {
    if (typeof given === "number" && Number.isSafeInteger(given)) return [name, given];
    throw invalid(`${path}.${name}`, `must be a safe integer, not ${shown(given)}.`);
  });
  return Object.fromEntries(entries);
}
