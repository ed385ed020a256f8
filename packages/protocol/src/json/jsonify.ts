import type { Json } from "./json.js";
import { jsonForm } from "./json-form.js";
import { MAX_JSON_DEPTH } from "./max-json-depth.js";
import { setOwn } from "./own-properties.js";

/** More values than the largest message has, at two bytes each. A graph of shared objects may unfold endlessly. */
const MAX_VALUES = 2 ** 22;

const CIRCULAR = "[circular]";
const TOO_DEEP = "[too deep]";
const TOO_LARGE = "[too large]";

/**
 * Converts anything to JSON, for tool results with Dates, Maps and the like. It never throws.
 *
 * `toJSON` is called where it exists. Dates become ISO strings, Maps objects (or arrays of pairs, unless all keys are
 * strings), Sets arrays, BigInts and URLs and regular expressions strings, bytes base64, Errors
 * `{ name, message, code?, cause? }`, instances of other classes their own properties. NaN, infinities and invalid Dates
 * become null. So do `undefined`, functions and symbols in arrays; properties with such values are dropped. The rest becomes
 * `"[circular]"`, `"[too deep]"`, `"[too large]"` or `"[unreadable: why]"`.
 *
 * @example
 * ```ts
 * jsonify({ at: new Date(0), seen: new Set([1n]) }); // { at: "1970-01-01T00:00:00.000Z", seen: ["1"] }
 * ```
 */
export function jsonify(value: unknown): Json {
  const jsonifier = new Jsonifier();
  return jsonifier.property({ "": value }, "") ?? null;
}

class Jsonifier {
  private readonly ancestors: object[] = [];
  private left = MAX_VALUES;

  /** The property as JSON; `undefined` if JSON has no value for it. */
  property(holder: object, key: string | number): Json | undefined {
    if (this.left-- <= 0) return TOO_LARGE;
    try {
      const value: unknown = Reflect.get(holder, key);
      return this.value(value, String(key));
    } catch (error) {
      return unreadable(error);
    }
  }

  private value(value: unknown, key: string): Json | undefined {
    if (typeof value !== "object" || value === null) return scalar(value);
    if (this.ancestors.includes(value)) return CIRCULAR;
    const form = jsonForm(value, key);
    if (typeof form !== "object" || form === null) return scalar(form);
    if (this.ancestors.includes(form)) return CIRCULAR;
    return this.ancestors.length < MAX_JSON_DEPTH ? this.inside(value, form) : TOO_DEEP;
  }

  private inside(value: object, form: object): Json {
    this.ancestors.push(value);
    try {
      return Array.isArray(form) ? this.array(form) : this.object(form);
    } finally {
      this.ancestors.pop();
    }
  }

  private array(items: readonly unknown[]): Json {
    const { length } = items;
    // Checked before the loop: a proxy or a sparse array can claim any length.
    if (length > this.left) return TOO_LARGE;
    const json: Json[] = [];
    for (let index = 0; index < length && this.left >= 0; index++) {
      json.push(this.property(items, index) ?? null);
    }
    return json;
  }

  private object(object: object): Json {
    const json: Record<string, Json> = {};
    for (const key of Object.keys(object)) {
      const property = this.property(object, key);
      if (property !== undefined) setOwn(json, key, property);
      if (this.left < 0) break;
    }
    return json;
  }
}

function scalar(value: unknown): Json | undefined {
  switch (typeof value) {
    case "number":
      // Adding 0 turns -0 into 0.
      return Number.isFinite(value) ? value + 0 : null;
    case "bigint":
      return value.toString();
    case "string":
    case "boolean":
      return value;
    default:
      return value === null ? null : undefined;
  }
}

function unreadable(error: unknown): string {
  try {
    return `[unreadable: ${error instanceof Error ? error.message : String(error)}]`;
  } catch {
    // The error's own message cannot be read either.
    return "[unreadable]";
  }
}
