import { utf8Length } from "../encoding/utf8-length.js";
import { invalid, requireString, tooLarge } from "./argument.js";
import type { Limits } from "./limits.js";

/** An id as every store can keep it: well-formed Unicode of 1 to 512 bytes. Nothing else about it matters. */
export function requireId(value: unknown, path: string, limits: Limits): string {
  const id = requireString(value, path);
  if (id === "") throw invalid(path, "must not be empty.");
  if (!id.isWellFormed())
    throw invalid(path, "must be well-formed Unicode; it holds half of a surrogate pair.");
  if (utf8Length(id) > limits.idBytes) throw tooLarge(path, utf8Length(id), limits.idBytes);
  return id;
}
