import { utf8Length } from "../encoding/utf8-length.js";
import type { Json } from "./json.js";
import { NotJson } from "./not-json.js";
import { setOwn } from "./own-properties.js";
import { type Fields, isPlainObject } from "./record.js";

/** Far more than a session has. Shared objects unfold: 40 arrays that each contain the next one twice are 2^40 arrays. */
export const MAX_CONTAINERS: number = 2 ** 23;

/** The copy would be larger than allowed. */
export class CloneTooLarge extends Error {
  /** `undefined` if there are more than `MAX_CONTAINERS`. */
  readonly bytes: number | undefined;

  constructor(bytes?: number) {
    super();
    this.bytes = bytes;
  }
}

/** Copies one value, counts its bytes, and remembers the path to where it is. Throws `NotJson` or `CloneTooLarge`. */
export class JsonCloner {
  bytes = 0;
  private entered = 0;
  private readonly maxBytes: number;
  private readonly maxDepth: number;
  // The containers around the current value, and the current key in each of them. As long as nothing is wrong, a path costs
  // two stores per value.
  private readonly containers: object[] = [];
  private readonly keys: (string | number)[] = [];

  constructor(maxBytes: number, maxDepth: number) {
    this.maxBytes = maxBytes;
    this.maxDepth = maxDepth;
  }

  requireFitting(more = 0): void {
    if (this.bytes + more > this.maxBytes) throw new CloneTooLarge(this.bytes + more);
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

  /** If a container contains itself: why that is not JSON. `path()` then leads to the second occurrence. */
  cycle(): NotJson | undefined {
    const again = this.containers.findIndex((container, level) => this.containers.indexOf(container) < level);
    if (again < 0) return undefined;
    this.containers.length = again;
    return NotJson.cycle();
  }

  private null(): null {
    this.bytes += 4;
    return null;
  }

  private number(value: number): number {
    if (!Number.isFinite(value)) throw NotJson.number(value);
    this.bytes += String(value).length;
    // Not -0: JSON text does not distinguish it from 0.
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
    // Brackets, commas, and at least one byte per item.
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

  private object(object: Fields): Json {
    refuseSymbolKeys(object);
    const keys = Object.keys(object);
    const level = this.enter(object);
    const copy: Record<string, Json> = {};
    let count = 0;
    for (const key of keys) {
      this.keys[level] = key;
      // Read once: a getter may return something else the second time.
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

  /** Throws before it enters, so that `path()` leads to the container. Returns the level of the container. */
  private enter(container: object): number {
    const level = this.containers.length;
    // Cycles are looked for only at the maximum depth: comparing at every level would cost more than the copy.
    if (level >= this.maxDepth) throw this.cycle() ?? NotJson.depth(this.maxDepth);
    if (++this.entered > MAX_CONTAINERS) throw new CloneTooLarge();
    this.containers.push(container);
    return level;
  }

  private leave(count: number): void {
    this.containers.pop();
    this.bytes += 2 + Math.max(0, count - 1); // brackets and commas
  }
}

function refuseSymbolKeys(object: object): void {
  const symbols = Object.getOwnPropertySymbols(object);
  if (symbols.length === 0) return;
  // A symbol that is not enumerable is a mark of some library, not data.
  const offender = symbols.find((symbol) => Object.prototype.propertyIsEnumerable.call(object, symbol));
  if (offender !== undefined) throw NotJson.symbolKey(offender);
}
