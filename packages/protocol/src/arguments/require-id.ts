import { utf8Length } from "../encoding/utf8-length.js";
import { invalid, tooLarge } from "./invalid-argument.js";
import type { Limits } from "./limits.js";
import { requireItems } from "./lists.js";
import { requireString } from "./require-value.js";

/** An id that every store can keep: well-formed Unicode of 1 to 512 bytes. */
export function requireId(value: unknown, path: string, limits: Limits): string {
  const id = requireString(value, path);
  if (id === "") throw invalid(path, "must not be empty.");
  if (!id.isWellFormed())
    throw invalid(path, "must be well-formed Unicode; it holds half of a surrogate pair.");
  if (utf8Length(id) > limits.idBytes) throw tooLarge(path, utf8Length(id), limits.idBytes);
  return id;
}

/** An id, or `undefined` if the value is absent. */
export function optionalId(value: unknown, path: string, limits: Limits): string | undefined {
  return value === undefined ? undefined : requireId(value, path, limits);
}

/** A list of ids. */
export function requireIds(value: unknown, path: string, limits: Limits): string[] {
  return requireItems(value, path, limits, (id, at) => requireId(id, at, limits));
}
