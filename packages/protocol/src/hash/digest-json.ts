import { isJsonArray, type JsonLike, type JsonLikeObject } from "../json/json-like.js";
import { Digest } from "./digest.js";

// Each value begins with its kind, and with its length if it has one. So no value is a prefix of another one, and no two
// values in a row read like one.
const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const STRING = 4;
const ARRAY = 5;
const OBJECT = 6;

/**
 * A 128-bit digest of a JSON value, as 32 hex digits. The order of keys does not matter. It is stored, so it is the same in
 * every version. Not for secrets.
 */
export function digestJson(value: JsonLike): string {
  const digest = new Digest();
  addValue(digest, value);
  return digest.hex();
}

function addValue(digest: Digest, value: JsonLike): void {
  if (value === null) digest.word(NULL);
  else if (typeof value === "string") addText(digest, value);
  else if (typeof value === "number") addNumber(digest, value);
  else if (typeof value === "boolean") digest.word(value ? TRUE : FALSE);
  else if (isJsonArray(value)) addArray(digest, value);
  else addObject(digest, value);
}

function addText(digest: Digest, text: string): void {
  digest.word(STRING);
  digest.text(text);
}

const number = new DataView(new ArrayBuffer(8));

function addNumber(digest: Digest, value: number): void {
  digest.word(NUMBER);
  // JSON does not distinguish -0 from 0, but their bits differ.
  number.setFloat64(0, value === 0 ? 0 : value);
  digest.word(number.getInt32(0));
  digest.word(number.getInt32(4));
}

function addArray(digest: Digest, items: readonly JsonLike[]): void {
  digest.word(ARRAY);
  digest.word(items.length);
  for (const item of items) addValue(digest, item);
}

function addObject(digest: Digest, object: JsonLikeObject): void {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  digest.word(OBJECT);
  digest.word(keys.length);
  // By code unit: no locale changes that order.
  for (const key of keys.sort()) addProperty(digest, key, object[key]);
}

function addProperty(digest: Digest, key: string, value: JsonLike | undefined): void {
  digest.text(key);
  if (value !== undefined) addValue(digest, value);
}
