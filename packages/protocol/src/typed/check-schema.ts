import { invalid } from "../arguments/invalid-argument.js";
import { kindOf } from "../arguments/shown-value.js";
import { jsonPath } from "../json/json-path.js";
import type { StandardSchemaIssue, StandardSchemaResult, StandardSchemaV1 } from "./standard-schema.js";

/** Makes the error for a value that a schema refuses, from the path to what is wrong and a sentence about it. */
export type Refusal = (path: string, problem: string) => Error;

/**
 * Validates a value, and throws what `refuse` makes if the schema has issues. Returns a promise only if the schema did: what can be
 * decided at once does not let other calls pass. The schema's output is not used: what is stored is what was given.
 */
export function checkSchema(
  schema: StandardSchemaV1<unknown, unknown>,
  value: unknown,
  path: string,
  refuse: Refusal,
): Promise<void> | undefined {
  const result = schema["~standard"].validate(value);
  // By `then` and not by `instanceof`: a promise of another realm must not pass for a result without issues.
  if ("then" in result) return result.then((settled) => requireNoIssues(settled, path, refuse));
  requireNoIssues(result, path, refuse);
  return undefined;
}

/** Whether a value is a schema. Some libraries make schemas that are functions. */
export function isSchema(value: unknown): boolean {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && hasValidate(Reflect.get(value, "~standard"));
}

/** Refuses what is no schema, before anything is checked with it. */
export function requireSchema(value: unknown, path: string): void {
  if (isSchema(value)) return;
  throw invalid(
    path,
    `must be a Standard Schema, such as one of zod or valibot, with the field "~standard". It is ${kindOf(value)}.`,
  );
}

function hasValidate(standard: unknown): boolean {
  return (
    typeof standard === "object" &&
    standard !== null &&
    typeof Reflect.get(standard, "validate") === "function"
  );
}

function requireNoIssues(result: StandardSchemaResult<unknown>, path: string, refuse: Refusal): void {
  const [first, ...others] = result.issues ?? [];
  if (result.issues === undefined) return;
  const at = jsonPath(path, (first?.path ?? []).map(keyOf));
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw refuse(at, `${first?.message.replace(/\.$/, "") ?? "it is refused"}${more}.`);
}

function keyOf(segment: NonNullable<StandardSchemaIssue["path"]>[number]): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "symbol" ? String(key) : key;
}
