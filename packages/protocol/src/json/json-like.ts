/** JSON in memory: properties may be `undefined`, and then count as absent. Every `Json` and every message is one. */
export type JsonLike = null | boolean | number | string | readonly JsonLike[] | JsonLikeObject;

/** An object of `JsonLike` values. */
export interface JsonLikeObject {
  readonly [key: string]: JsonLike | undefined;
}

/** `Array.isArray` for JSON. The compiler does not distinguish readonly arrays from objects by `Array.isArray` itself. */
export function isJsonArray(value: readonly JsonLike[] | JsonLikeObject): value is readonly JsonLike[] {
  return Array.isArray(value);
}
