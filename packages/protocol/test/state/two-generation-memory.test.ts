import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TwoGenerationMemory } from "../../src/state/memory/two-generation-memory.js";

interface Entry {
  readonly id: string;
  readonly at: number;
}

const fill = (
  count: number,
  step: number,
  retention: { readonly count: number; readonly ms: number },
): TwoGenerationMemory<Entry> => {
  let recent = TwoGenerationMemory.empty<Entry>();
  for (let index = 1; index <= count; index++)
    recent = recent.add({ id: `e${index}`, at: index * step }, retention);
  return recent;
};

describe("a bounded memory", () => {
  test("keeps at least the newest entries and all recent ones, and stays bounded", () => {
    const shape = fc.record({
      count: fc.integer({ min: 1, max: 40 }),
      ms: fc.nat(300),
      added: fc.integer({ min: 1, max: 400 }),
      step: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(shape, ({ count, ms, added, step }) => {
        const recent = fill(added, step, { count, ms });
        for (let index = 1; index <= added; index++) {
          const mustBeKept = index > added - count || index * step > added * step - ms;
          if (mustBeKept) expect(recent.get(`e${index}`)).toBeDefined();
        }
        const kept = recent.toDocument().entries.length;
        expect(kept).toBeLessThanOrEqual(2 * (count + Math.ceil(ms / step)) + 1);
      }),
    );
  });

  test("forgets only entries at or before its horizon", () => {
    const recent = fill(1000, 10, { count: 8, ms: 100 });
    const forgotten = Array.from({ length: 1000 }, (_, index) => index + 1).filter(
      (index) => recent.get(`e${index}`) === undefined,
    );
    expect(forgotten.length).toBeGreaterThan(900);
    for (const index of forgotten) expect(index * 10).toBeLessThanOrEqual(recent.horizon);
    expect(recent.horizon).toBeLessThan(1000 * 10 - 100);
  });

  test("can be saved to a document and loaded again", () => {
    const recent = fill(100, 10, { count: 8, ms: 100 });
    expect(TwoGenerationMemory.from(recent.toDocument()).toDocument()).toEqual(recent.toDocument());
  });

  test("an older version does not contain the entries of a newer one", () => {
    const before = fill(5, 1, { count: 8, ms: 0 });
    const after = before.add({ id: "later", at: 9 }, { count: 8, ms: 0 });
    expect([before.get("later"), after.get("later")?.at]).toEqual([undefined, 9]);
  });
});
