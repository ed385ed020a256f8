import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashText } from "../../src/persistent/hash-text.js";
import { PersistentMap } from "../../src/persistent/persistent-map.js";

const HASHES: Readonly<Record<string, (key: string) => number>> = {
  "the usual hash": hashText,
  "one hash for all keys": () => 0xdeadbeef,
  "eight hashes, with equal low bits": (key) => (hashText(key) & 7) << 29,
  "a hash of few bits": (key) => hashText(key) & 0x3ff,
  "a negative hash": (key) => hashText(key) | 0x80000000,
};

interface Pair {
  readonly map: PersistentMap<number>;
  readonly model: ReadonlyMap<string, number>;
}

type Step = { set: [string, number] } | { delete: string };

const key = fc.oneof(fc.constantFrom("", "__proto__", "toString", "\ud800"), fc.nat(150).map(String));
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ set: fc.tuple(key, fc.nat(3)) }) },
    { weight: 2, arbitrary: fc.record({ delete: key }) },
  ),
  { maxLength: 400, size: "max" },
);

function onMap(map: ReadonlyMap<string, number>, step: Step): ReadonlyMap<string, number> {
  const copy = new Map(map);
  if ("set" in step) copy.set(...step.set);
  else copy.delete(step.delete);
  return copy;
}

function onPersistent(map: PersistentMap<number>, step: Step): PersistentMap<number> {
  return "set" in step ? map.set(...step.set) : map.delete(step.delete);
}

function sorted(entries: Iterable<readonly [string, number]>): (readonly [string, number])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

function keys(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `key ${index}`);
}

function mapOf(names: readonly string[], hash?: (key: string) => number): PersistentMap<number> {
  return names.reduce((map, name, index) => map.set(name, index), PersistentMap.empty<number>(hash));
}

describe.each(Object.entries(HASHES))("PersistentMap with %s", (_, hash) => {
  it("does what a Map does, and leaves every earlier map as it was", () => {
    fc.assert(
      fc.property(steps, (run) => {
        let pair: Pair = { map: PersistentMap.empty(hash), model: new Map() };
        const history = [pair];
        for (const step of run) {
          pair = { map: onPersistent(pair.map, step), model: onMap(pair.model, step) };
          history.push(pair);
        }
        for (const { map, model } of history.filter((_, index) => index % 50 === 0 || index === run.length)) {
          expect(map.size).toBe(model.size);
          expect(sorted(map)).toEqual(sorted(model));
          for (const [name, value] of model) expect([map.has(name), map.get(name)]).toEqual([true, value]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("tells what is there from what is not", () => {
    const map = mapOf(keys(300), hash);
    expect(keys(300).every((name, index) => map.has(name) && map.get(name) === index)).toBe(true);
    expect(map.has("key 300")).toBe(false);
    expect(map.get("key 300")).toBeUndefined();
  });

  it("has the same shape after deletions as if the deleted had never been there", () => {
    const some = mapOf(keys(20), hash);
    const grown = keys(300).reduce((map, name, index) => map.set(name, index), some);
    const shrunk = keys(300)
      .slice(20)
      .reduce((map, name) => map.delete(name), grown);
    expect(shrunk.size).toBe(20);
    expect(nodesIn(shrunk)).toBe(nodesIn(some));
    expect(nodesIn(keys(20).reduce((map, name) => map.delete(name), shrunk))).toBe(1);
  });

  it("returns itself where nothing changes", () => {
    const map = mapOf(keys(100), hash).set("nan", Number.NaN);
    expect(map.set("key 7", 7)).toBe(map);
    expect(map.set("nan", Number.NaN)).toBe(map);
    expect(map.delete("absent")).toBe(map);
    expect(map.set("key 7", 8)).not.toBe(map);
  });
});

describe("PersistentMap", () => {
  it("holds undefined as a value", () => {
    const map = PersistentMap.empty<undefined>().set("a", undefined);
    expect([map.size, map.has("a"), map.get("a")]).toEqual([1, true, undefined]);
    expect(map.delete("a").has("a")).toBe(false);
  });

  it("spreads keys that differ in their last character only", () => {
    const slots = new Set(keys(1000).map((name) => hashText(name) & 0x3ff));
    // A random function would fill about 637 of the 1024.
    expect(slots.size).toBeGreaterThan(580);
  });
});

/** How many nodes the map's trie has. */
function nodesIn(map: PersistentMap<number>): number {
  const count = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 0;
    const below = Object.values(value).reduce((sum: number, child: unknown) => sum + count(child), 0);
    return below + ("childMap" in value ? 1 : 0);
  };
  return count(map);
}
