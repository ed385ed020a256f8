import { isFields } from "@sessions/turn-runner";

/** The keys that lead to a value inside an item. */
export type Path = readonly (string | number)[];

/** A value with its bytes as base64. */
export interface EncodedValue {
  readonly value: unknown;
  /** Where the bytes are. */
  readonly binary: readonly Path[];
}

/**
 * Encodes the bytes in a value as base64: JSON has no bytes, and an item may have an image as a `Uint8Array`. A value without bytes is
 * returned as it is: the store checks whether it is JSON.
 */
export function encodeBytes(value: unknown): EncodedValue {
  const binary: Path[] = [];
  const encoded = withoutBytes(value, [], new Set(), binary);
  return binary.length === 0 ? { value, binary } : { value: encoded, binary };
}

function withoutBytes(value: unknown, path: Path, ancestors: Set<object>, binary: Path[]): unknown {
  if (value instanceof Uint8Array) {
    binary.push(path);
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
  }
  // The store refuses a value that is not JSON or contains itself, and names its path.
  if (!isContainer(value) || ancestors.has(value)) return value;
  ancestors.add(value);
  const inner = (child: unknown, key: string | number): unknown =>
    withoutBytes(child, [...path, key], ancestors, binary);
  const copy = Array.isArray(value)
    ? value.map(inner)
    : Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inner(child, key)]));
  ancestors.delete(value);
  return copy;
}

/** Whether a value is an array or a plain object. A copy of a Date or a Map would be an empty object. */
function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return Array.isArray(value) || isPlain;
}

/** A copy with the bytes decoded: the caller may change it. */
export function decodeBytes(value: unknown, binary: readonly Path[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const path of binary) decodeAt(copy, path);
  return copy;
}

function decodeAt(copy: unknown, path: Path): void {
  const holder = path.slice(0, -1).reduce<unknown>(valueAt, copy);
  const key = path.at(-1);
  const base64 = key === undefined ? undefined : valueAt(holder, key);
  if (key === undefined || typeof holder !== "object" || holder === null || typeof base64 !== "string")
    return;
  Reflect.set(holder, key, new Uint8Array(Buffer.from(base64, "base64")));
}

function valueAt(holder: unknown, key: string | number): unknown {
  if (Array.isArray(holder) && typeof key === "number") return holder[key];
  return isFields(holder) ? holder[key] : undefined;
}
