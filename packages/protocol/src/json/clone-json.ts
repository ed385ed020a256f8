import { utf8Length } from "../encoding/utf8-length.js";
import { SessionError } from "../errors/session-error.js";
import type { Json } from "./json.js";
import { jsonPath } from "./json-path.js";
import { MAX_JSON_DEPTH } from "./max-json-depth.js";
import { NotJson } from "./not-json.js";
import { isPlainObject } from "./record.js";
import { setOwn } from "./set-own.js";

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
 *
 * Stops with TOO_LARGE as soon as the copy is longer than `maxBytes`: object graphs can unfold without end, and the
 * length of an array may be a lie.
 */
export function cloneJson(
  value: unknown,
  path: string,
  maxBytes: number = Number.POSITIVE_INFINITY,
  maxDepth: number = MAX_JSON_DEPTH,
): ClonedJson {
  const cloner = new JsonCloner(maxBytes, maxDepth);
  try {
    const copy = cloner.clone(value);
    cloner.requireFitting();
    return { value: copy, bytes: cloner.bytes };
  } catch (error) {
    const cycle = error instanceof Overflow ? cloner.cycle() : undefined;
    if (error instanceof Overflow && cycle === undefined) throw tooLarge(path, error.bytes, maxBytes);
    throw refusal(cycle ?? error, jsonPath(path, cloner.path()));
  }
}

/** Far more than any session has. Shared objects unfold: 40 arrays that hold the next one twice are 2^40 arrays. */
const MAX_CONTAINERS = 2 ** 23;

/** The copy would be larger than allowed. */
class Overflow extends Error {
  readonly bytes: number | undefined;

  constructor(bytes?: number) {
    super();
    this.bytes = bytes;
  }
}

function tooLarge(path: string, bytes: number | undefined, maxBytes: number): SessionError {
  if (bytes === undefined) {
    const message = `${path} has more than ${MAX_CONTAINERS} objects and arrays.`;
    return SessionError.of("TOO_LARGE", message, { path, limit: MAX_CONTAINERS });
  }
  const message = `${path} has at least ${bytes} bytes; ${maxBytes} are allowed.`;
  return SessionError.of("TOO_LARGE", message, { path, bytes, limit: maxBytes });
}

function refusal(error: unknown, path: string): SessionError {
  if (error instanceof NotJson)
    return SessionError.of("INVALID_ARGUMENT", `${path} ${error.message}.`, { path });
  const message = `${path} could not be read: it, or what computes it, threw an error (see the cause).`;
  return SessionError.of("INVALID_ARGUMENT", message, { path, cause: error });
}

class JsonCloner {
  bytes = 0;
  private entered = 0;
  private readonly maxBytes: number;
  // The containers around the value at hand, and the key of the next step in each. Two stores per value are all that
  // a path costs where nothing is wrong.
  private readonly containers: object[] = [];
  private readonly keys: (string | number)[] = [];
  private readonly maxDepth: number;

  constructor(maxBytes: number, maxDepth: number) {
    this.maxBytes = maxBytes;
    this.maxDepth = maxDepth;
  }

  requireFitting(more = 0): void {
    if (this.bytes + more > this.maxBytes) throw new Overflow(this.bytes + more);
  }

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
    const { length } = items;
    // Brackets, commas, and one byte an item at least.
    this.requireFitting(2 * length + 1);
    for (let index = 0; index < length; index++) {
      this.keys[level] = index;
      const item = items[index];
      if (item === undefined && !(index in items)) throw NotJson.hole();
      copy.push(this.clone(item));
      this.requireFitting();
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
      this.requireFitting();
      count++;
    }
    this.leave(count);
    return copy;
  }

  /** Refuses what cannot be entered while `path()` still leads to it. */
  private enter(container: object): number {
    const level = this.containers.length;
    // A cycle is found here and not at each step: a comparison with all containers around would cost more than the copy.
    if (level >= this.maxDepth) throw this.cycle() ?? NotJson.depth(this.maxDepth);
    if (++this.entered > MAX_CONTAINERS) throw new Overflow();
    this.containers.push(container);
    return level;
  }

  /** If a container contains itself: leads `path()` to where it comes again. */
  cycle(): NotJson | undefined {
    const again = this.containers.findIndex((container, level) => this.containers.indexOf(container) < level);
    if (again < 0) return undefined;
    this.containers.length = again;
    return NotJson.cycle();
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
