import type { JsonLike, JsonLikeObject } from "./json-like.js";

/** `Array.isArray` for JSON: the compiler would not tell readonly arrays from objects by it. */
export function isJsonArray(value: readonly JsonLike[] | JsonLikeObject): value is readonly JsonLike[] {
  return Array.isArray(value);
}
