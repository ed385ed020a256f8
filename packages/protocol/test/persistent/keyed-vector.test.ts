import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyedVector } from "../../src/persistent/keyed-vector.js";

interface Item {
  readonly id: string;
  readonly value: number;
}

const item = (id: number, value = id): Item => ({ id: `id-${id}`, value });

/** A version of the list, and the plain array that it must equal. */
interface Version {
  readonly list: KeyedVector<Item>;
  readonly model: readonly Item[];
}

type Change = (version: Version) => Version;

// Few ids, so that an id occurs again at other positions and in other versions: hints could be wrong there.
const push = fc.nat(30).map(
  (id): Change =>
    ({ list, model }) => {
      if (model.some((held) => held.id === `id-${id}`)) return { list, model };
      return { list: list.push(item(id)), model: [...model, item(id)] };
    },
);
const truncate = fc.nat(20).map(
  (length): Change =>
    ({ list, model }) => ({ list: list.truncate(length), model: model.slice(0, length) }),
);
const replace = fc.tuple(fc.nat(20), fc.nat()).map(
  ([index, value]): Change =>
    ({ list, model }) => {
      const held = model[index];
      if (held === undefined) return { list, model };
      const next = { ...held, value };
      return { list: list.set(index, next), model: model.with(index, next) };
    },
);
const change = fc.oneof({ weight: 5, arbitrary: push }, truncate, replace);

function check({ list, model }: Version): void {
  expect(list.slice()).toEqual(model);
  for (let id = 0; id <= 30; id++) {
    const place = model.findIndex((held) => held.id === `id-${id}`);
    expect(list.positionOf(`id-${id}`)).toBe(place < 0 ? undefined : place);
  }
}

describe("KeyedVector", () => {
  test("every version, grown from any earlier one, finds exactly its own items", () => {
    const steps = fc.array(fc.tuple(fc.nat(), change), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (all) => {
        const versions: Version[] = [{ list: KeyedVector.empty(), model: [] }];
        for (const [from, apply] of all) {
          const base = versions[from % versions.length];
          if (base !== undefined) versions.push(apply(base));
        }
        for (const version of versions) check(version);
      }),
      { numRuns: 300 },
    );
  });

  test("an id that moves again and again is still found", () => {
    let list = KeyedVector.from([item(0)]);
    for (let round = 1; round <= 40; round++) {
      list = list.truncate(0);
      for (let filler = 1; filler <= round; filler++) list = list.push(item(1000 * round + filler));
      list = list.push(item(0));
      expect(list.positionOf("id-0")).toBe(round);
    }
  });

  test("many lists that grow from one list do not change it", () => {
    const base = KeyedVector.from([item(1), item(2)]);
    for (let id = 10; id < 500; id++) expect(base.push(item(id)).positionOf(`id-${id}`)).toBe(2);
    expect([base.length, base.positionOf("id-2"), base.positionOf("id-10")]).toEqual([2, 1, undefined]);
  });
});
