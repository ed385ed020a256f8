import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PersistentVector } from "../../src/persistent/persistent-vector.js";

/** 0, 1, 2… */
function numbers(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

// Around the sizes at which a leaf, a branch and a second level of branches are full.
const EDGES: readonly number[] = [
  0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 1055, 1056, 1057, 32_767, 32_768, 32_769, 32_800, 32_801,
];

interface Pair {
  readonly vector: PersistentVector<number>;
  readonly array: readonly number[];
}

type Step = { push: number } | { pushAll: number[] } | { set: [number, number] } | { truncate: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ push: fc.integer() }),
    fc.record({ pushAll: fc.array(fc.integer(), { maxLength: 1500, size: "max" }) }),
    fc.record({ set: fc.tuple(fc.nat(5000), fc.integer()) }),
    fc.record({ truncate: fc.nat(5000) }),
  ),
  { maxLength: 20 },
);

function onArray(items: readonly number[], step: Step): readonly number[] {
  if ("push" in step) return [...items, step.push];
  if ("pushAll" in step) return [...items, ...step.pushAll];
  if ("truncate" in step) return items.slice(0, step.truncate);
  return items.length === 0 ? items : items.with(step.set[0] % items.length, step.set[1]);
}

function onVector(items: PersistentVector<number>, step: Step): PersistentVector<number> {
  if ("push" in step) return items.push(step.push);
  if ("pushAll" in step) return items.pushAll(step.pushAll);
  if ("truncate" in step) return items.truncate(step.truncate);
  return items.length === 0 ? items : items.set(step.set[0] % items.length, step.set[1]);
}

describe("PersistentVector", () => {
  it("behaves like an array, and does not change any earlier list", () => {
    fc.assert(
      fc.property(steps, (run) => {
        let pair: Pair = { vector: PersistentVector.empty(), array: [] };
        const history = [pair];
        for (const step of run) {
          pair = { vector: onVector(pair.vector, step), array: onArray(pair.array, step) };
          history.push(pair);
        }
        for (const { vector, array } of history) {
          expect(vector.length).toBe(array.length);
          expect(vector.slice()).toEqual(array);
        }
      }),
    );
  });

  it.each(EDGES)("contains %i items, whether they were added one by one or together", (length) => {
    const items = numbers(length);
    let pushed = PersistentVector.empty<number>();
    for (const item of items) pushed = pushed.push(item);
    for (const vector of [PersistentVector.from(items), pushed]) {
      expect(vector.length).toBe(length);
      expect([...vector]).toEqual(items);
      expect(items.every((item) => vector.get(item) === item)).toBe(true);
      expect(vector.get(length)).toBeUndefined();
    }
  });

  it.each(EDGES)("can be cut to %i items and grow again", (length) => {
    const items = numbers(40_000);
    const cut = PersistentVector.from(items).truncate(length);
    expect(cut.slice()).toEqual(items.slice(0, length));
    expect(cut.pushAll([-1, -2]).push(-3).slice()).toEqual([...items.slice(0, length), -1, -2, -3]);
  });

  it("slices as arrays do", () => {
    const items = numbers(1100);
    const vector = PersistentVector.from(items);
    const bound = fc.option(fc.oneof(fc.integer({ min: -1200, max: 1200 }), fc.double()), { nil: undefined });
    fc.assert(
      fc.property(bound, bound, (from, to) => {
        expect(vector.slice(from, to)).toEqual(items.slice(from, to));
      }),
    );
  });

  it("returns undefined for an invalid index", () => {
    const vector = PersistentVector.from(["a", "b"]);
    for (const index of [-1, 2, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32]) {
      expect(vector.get(index)).toBeUndefined();
    }
  });

  it("refuses to set an index out of range, and invalid lengths", () => {
    const vector = PersistentVector.from(numbers(40));
    for (const index of [-1, 40, 0.5, Number.NaN]) expect(() => vector.set(index, 0)).toThrow(RangeError);
    for (const length of [-1, 0.5, Number.NaN]) expect(() => vector.truncate(length)).toThrow(RangeError);
  });

  it("returns itself when there is nothing to truncate", () => {
    const vector = PersistentVector.from(numbers(40));
    expect(vector.truncate(40)).toBe(vector);
    expect(vector.truncate(41)).toBe(vector);
  });

  it("treats items that are arrays as single items", () => {
    expect(
      PersistentVector.from([[1, 2]])
        .push([3])
        .set(0, [4])
        .slice(),
    ).toEqual([[4], [3]]);
  });

  it.each([0, 1, 32, 33, 1024, 1025])(
    "keeps no reference to items beyond the %i that it was truncated to",
    (length) => {
      const cut = PersistentVector.from(numbers(40_000).map((index) => ({ index }))).truncate(length);
      expect(itemsReachableFrom(cut)).toBe(length);
    },
  );
});

/** How many items can be reached through any property, and thus are kept in memory. */
function itemsReachableFrom(root: object): number {
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    Object.values(value).forEach(visit);
  };
  visit(root);
  return [...seen].filter((value) => "index" in value).length;
}
