import { encodeBase64 } from "../encoding/base64.js";
import { typeTag } from "./type-tag.js";

/**
 * The value that represents an object in JSON: a scalar, an array, or an object whose own properties count. Most objects
 * represent themselves. Throws what the object's own code throws.
 */
export function jsonForm(value: object, key: string): unknown {
  const bytes = bytesOf(value);
  // Before toJSON: that of Node's Buffer returns an array of numbers.
  if (bytes !== undefined) return encodeBase64(bytes);
  const given: unknown = hasToJson(value) ? value.toJSON(key) : value;
  return typeof given === "object" && given !== null ? unwrap(given) : given;
}

function hasToJson(value: object): value is { toJSON(key: string): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function bytesOf(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isBuffer(value) ? new Uint8Array(value) : undefined;
}

function unwrap(value: object): unknown {
  if (isDate(value)) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (isMap(value)) return fromMap(value);
  if (isSet(value)) return [...value];
  if (isError(value)) return fromError(value);
  if (isRegExp(value)) return String(value);
  return isBoxed(value) ? value.valueOf() : value;
}

function fromMap(map: ReadonlyMap<unknown, unknown>): object {
  const pairs = [...map];
  return pairs.every(isNamed) ? Object.fromEntries(pairs) : pairs;
}

function isNamed(pair: [unknown, unknown]): pair is [string, unknown] {
  return typeof pair[0] === "string";
}

function fromError(error: Error): object {
  const code: unknown = "code" in error ? error.code : undefined;
  return { name: error.name, message: error.message, code, cause: error.cause };
}

function isBuffer(value: object): value is ArrayBuffer {
  return ["ArrayBuffer", "SharedArrayBuffer"].includes(typeTag(value));
}

function isDate(value: object): value is Date {
  return value instanceof Date || typeTag(value) === "Date";
}

function isMap(value: object): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map || typeTag(value) === "Map";
}

function isSet(value: object): value is ReadonlySet<unknown> {
  return value instanceof Set || typeTag(value) === "Set";
}

function isError(value: object): value is Error {
  return value instanceof Error || typeTag(value) === "Error";
}

function isRegExp(value: object): value is RegExp {
  return value instanceof RegExp || typeTag(value) === "RegExp";
}

function isBoxed(value: object): boolean {
  return ["Number", "String", "Boolean", "BigInt"].includes(typeTag(value));
}
