import { cloneJson } from "../json/clone-json.js";
import type { Json, JsonObject } from "../json/json.js";
import { utf8Length } from "../json/utf8-length.js";
import type { SetOperation } from "../operations/operation.js";
import {
  field,
  invalid,
  optional,
  requireRecord,
  requireString,
  requireTime,
  tooLarge,
  within,
} from "./argument.js";
import type { Limits } from "./limits.js";

/** Title, labels, metadata and expiry, where `null` removes. */
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
    ...field("expiresAt", optional(patch["expiresAt"], within(path, "expiresAt"), orNull(requireTime))),
  };
}

export function requireTitle(value: unknown, path: string, limits: Limits): string {
  const title = requireString(value, path);
  if (utf8Length(title) > limits.metadataBytes) throw tooLarge(path, utf8Length(title), limits.metadataBytes);
  return title;
}

/** Metadata as one JSON value per key. Undefined is refused: it is what a forgotten value looks like. */
export function requireMetadata(value: unknown, path: string, limits: Limits): JsonObject {
  const entries = Object.entries(requireRecord(value, path)).map(([key, given]): [string, Json] => {
    const at = `${path}.${key}`;
    if (given === undefined)
      throw invalid(at, "is undefined. Use null to remove a key, or leave it out to keep it.");
    const { value: json, bytes } = cloneJson(given, at);
    if (bytes > limits.metadataBytes) throw tooLarge(at, bytes, limits.metadataBytes);
    return [key, json];
  });
  return Object.fromEntries(entries);
}

/** Labels for a new session or a query: names and values, no removals. */
export function requireLabels(
  value: unknown,
  path: string,
  limits: Limits,
): Readonly<Record<string, string>> {
  const entries = Object.entries(requireRecord(value, path)).map(([name, given]): [string, string] => {
    checkLabel(name, path, limits);
    const text = requireString(given, `${path}.${name}`);
    checkLabel(text, `${path}.${name}`, limits);
    return [name, text];
  });
  if (entries.length > limits.labels) throw tooManyLabels(path, entries.length, limits);
  return Object.fromEntries(entries);
}

function labelPatch(
  value: unknown,
  path: string,
  limits: Limits,
): Pick<SetOperation, "labels" | "maxLabels"> {
  if (value === undefined) return {};
  const given = requireRecord(value, path);
  const removed = Object.keys(given).filter((name) => given[name] === null);
  const kept = requireLabels(
    Object.fromEntries(Object.entries(given).filter(([, label]) => label !== null)),
    path,
    limits,
  );
  const labels = Object.fromEntries([
    ...Object.entries(kept),
    ...removed.map((name) => [name, null] as const),
  ]);
  return { labels, maxLabels: limits.labels };
}

function checkLabel(text: string, path: string, limits: Limits): void {
  if (!text.isWellFormed())
    throw invalid(path, "must be well-formed Unicode; it holds half of a surrogate pair.");
  if (utf8Length(text) > limits.labelBytes) throw tooLarge(path, utf8Length(text), limits.labelBytes);
}

function tooManyLabels(path: string, count: number, limits: Limits): Error {
  return tooLarge(`${path} (number of labels)`, count, limits.labels);
}

/** Integers by name. */
export function requireCounters(value: unknown, path: string): Readonly<Record<string, number>> {
  const entries = Object.entries(requireRecord(value, path)).map(([name, given]): [string, number] => {
    if (typeof given === "number" && Number.isSafeInteger(given)) return [name, given];
    throw invalid(`${path}.${name}`, `must be a safe integer, not ${String(given)}.`);
  });
  return Object.fromEntries(entries);
}
