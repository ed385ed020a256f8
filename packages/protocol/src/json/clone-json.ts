import { SessionError } from "../errors/session-error.js";
import type { Json } from "./json.js";
import { jsonPath } from "./json-path.js";
import { MAX_JSON_DEPTH } from "./max-json-depth.js";
import { NotJson } from "./not-json.js";
import { isPlainObject } from "./plain-object.js";
import { setOwn } from "./set-own.js";
import { utf8Length } from "./utf8-length.js";

/** A value that is JSON for sure and belongs to nobody else. */
export interface ClonedJson {
  readonly value: Json;
  /**
   * The length of the value's JSON text in UTF-8. Escapes (`\n`, `\"`, lone surrogates) count as what they stand for,
   * so the text itself may be somewhat longer.
   */
  readonly bytes: number;
}

/**
 * A deep copy of what a caller gave. Properties that are `undefined` are dropped, as JSON does; whatever else JSON
 * would change or lose in silence is refused with INVALID_ARGUMENT and the path to the offender, below `path`.
 */
export function cloneJson(value: unknown, path: string): ClonedJson {
  const cloner = new JsonCloner();
  try {
    const copy = cloner.clone(value);
    return { value: copy, bytes: cloner.bytes };
  } catch (error) {
    throw refusal(error, jsonPath(path, cloner.path()));
  }
}

function refusal(error: unknown, path: string): SessionError {
  if (error instanceof NotJson)
    return SessionError.of("INVALID_ARGUMENT", `${path} ${error.message}.`, { path });
  const message = `${path} could not be read: it, or what computes it, threw an error (see the cause).`;
  return SessionError.of("INVALID_ARGUMENT", message, { path, cause: error });
}

class JsonCloner {
  bytes = 0;
  // The containers around the value at hand, and the key of the next step in each. Two stores per value are all that
  // a path costs where nothing is wrong.
  private readonly containers: object[] = [];
  private readonly keys: (string | number)[] = [];

  path(): readonly (string | number)[] {
    return this.keys.slice(0, this.containers.length);
  }

  clone(value: unknown): Json {
    switch (typeof value) {
      case "string":
        this.bytes += utf8Length(value) + 2;
        return value;
      case "number":
        return this.number(value);
      case "boolean":
        this.bytes += value ? 4 : 5;
        return value;
      case "object":
        return value === null ? this.null() : this.container(value);
      default:
        throw NotJson.type(value);
    }
  }

  private null(): null {
    this.bytes += 4;
    return null;
  }

  private number(value: number): number {
    if (!Number.isFinite(value)) throw NotJson.number(value);
    this.bytes += String(value).length;
    // Not -0, which JSON texts do not tell from 0.
    return value === 0 ? 0 : value;
  }

  private container(value: object): Json {
    if (Array.isArray(value)) return this.array(value);
    if (isPlainObject(value)) return this.object(value);
    throw NotJson.type(value);
  }

  private array(items: readonly unknown[]): Json {
    const level = this.enter(items);
    const copy: Json[] = [];
    for (let index = 0; index < items.length; index++) {
      this.keys[level] = index;
      const item = items[index];
      if (item === undefined && !(index in items)) throw NotJson.hole();
      copy.push(this.clone(item));
    }
    this.leave(copy.length);
    return copy;
  }

  private object(object: Readonly<Record<string, unknown>>): Json {
    refuseSymbolKeys(object);
    const keys = Object.keys(object);
    const level = this.enter(object);
    const copy: Record<string, Json> = {};
    let count = 0;
    for (const key of keys) {
      this.keys[level] = key;
      // Read once: a getter may answer otherwise the second time.
      const property = object[key];
      if (property === undefined) continue;
      setOwn(copy, key, this.clone(property));
      this.bytes += utf8Length(key) + 3;
      count++;
    }
    this.leave(count);
    return copy;
  }

  /** Refuses what cannot be entered while `path()` still leads to it. */
  private enter(container: object): number {
    const level = this.containers.length;
    if (level >= MAX_JSON_DEPTH) throw NotJson.depth(MAX_JSON_DEPTH);
    if (this.containers.includes(container)) throw NotJson.cycle();
    this.containers.push(container);
    return level;
  }

  private leave(count: number): void {
    this.containers.pop();
    // The brackets, and the commas between.
    this.bytes += 2 + Math.max(0, count - 1);
  }
}

function refuseSymbolKeys(object: object): void {
  const symbols = Object.getOwnPropertySymbols(object);
  if (symbols.length === 0) return;
  // One that is not enumerable is somebody's mark on the object, no part of its data.
  const offender = symbols.find((symbol) => Object.prototype.propertyIsEnumerable.call(object, symbol));
  if (offender !== undefined) throw NotJson.symbolKey(offender);
}
