import { isJsonArray, type JsonLike, type JsonLikeObject } from "./json-like.js";

/** Whether two values are the same JSON. The order of keys does not matter. An `undefined` property counts as absent. */
export function equalJson(a: JsonLike | undefined, b: JsonLike | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isJsonArray(a)) return isJsonArray(b) && equalArrays(a, b);
  return !isJsonArray(b) && equalObjects(a, b);
}

function equalArrays(a: readonly JsonLike[], b: readonly JsonLike[]): boolean {
  return a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
}

function equalObjects(a: JsonLikeObject, b: JsonLikeObject): boolean {
  let count = 0;
  for (const key of Object.keys(a)) {
    const property = a[key];
    if (property === undefined) continue;
    count++;
    // Own properties only: the `toString` and `__proto__` that every object inherits are no data.
    if (!Object.hasOwn(b, key) || !equalJson(property, b[key])) return false;
  }
  return count === countDefined(b);
}

function countDefined(object: JsonLikeObject): number {
  let count = 0;
  for (const key of Object.keys(object)) if (object[key] !== undefined) count++;
  return count;
}
