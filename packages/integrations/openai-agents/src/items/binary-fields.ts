import { isFields } from "../fields.js";

/** The way to a value inside an item. */
export type Path = readonly (string | number)[];

/** A value whose bytes are told as base64, and where they were. */
export interface Told {
  readonly value: unknown;
  readonly binary: readonly Path[];
}

/**
 * Bytes as base64. JSON has no bytes, and an item may carry an image as a `Uint8Array`; that it did is remembered, so that
 * it comes back as one. A value without bytes is given back as it is, whatever it holds: the store judges that.
 */
export function tellBytes(value: unknown): Told {
  const binary: Path[] = [];
  const told = withoutBytes(value, [], new Set(), binary);
  return binary.length === 0 ? { value, binary } : { value: told, binary };
}

function withoutBytes(value: unknown, path: Path, ancestors: Set<object>, binary: Path[]): unknown {
  if (value instanceof Uint8Array) {
    binary.push(path);
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
  }
  // What is no JSON, or holds itself, is left to the store, which refuses it and says where.
  if (!isContainer(value) || ancestors.has(value)) return value;
  ancestors.add(value);
  const inner = (one: unknown, key: string | number): unknown =>
    withoutBytes(one, [...path, key], ancestors, binary);
  const copy = Array.isArray(value)
    ? value.map(inner)
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one, key)]));
  ancestors.delete(value);
  return copy;
}

/** What JSON can hold other values in. A copy of a Date or a Map would be an empty object. */
function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return Array.isArray(value) || isPlain;
}

/** Puts the bytes back where they were, in a copy that belongs to the caller. */
export function restoreBytes(value: unknown, binary: readonly Path[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const path of binary) restoreAt(copy, path);
  return copy;
}

function restoreAt(copy: unknown, path: Path): void {
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
