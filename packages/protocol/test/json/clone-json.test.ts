import vm from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Length } from "../../src/encoding/utf8-length.js";
import { cloneJson } from "../../src/json/clone-json.js";
import { json } from "./arbitrary-json.js";
import { invalidArgument } from "./invalid-argument.js";

function copyOfState(value: unknown): unknown {
  return cloneJson(value, "value").value;
}

function nested(levels: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

/** Every object and array in a value, itself included. */
function containersIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}

describe("cloneJson", () => {
  it("returns the same as JSON.parse(JSON.stringify()), with the same order of keys", () => {
    fc.assert(
      fc.property(json(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(copyOfState(value))).toBe(text);
        expect(copyOfState(value)).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it("shares nothing with the original", () => {
    fc.assert(
      fc.property(json(), (value) => {
        const given = new Set(containersIn(value));
        expect(containersIn(copyOfState(value)).filter((container) => given.has(container))).toEqual([]);
      }),
    );
  });

  it("counts the bytes of the JSON text, where nothing needs an escape", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "漢", "😀", " ") });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.oneof(
          text,
          fc.boolean(),
          fc.constant(null),
          fc.integer(),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
        ),
        fc.array(tie("value")),
        fc.dictionary(text, tie("value")),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        expect(cloneJson(given, "value").bytes).toBe(utf8Length(JSON.stringify(given)));
      }),
    );
  });

  it("does not count the properties that it drops", () => {
    expect(cloneJson({ a: 1, long: undefined }, "value").bytes).toBe('{"a":1}'.length);
  });

  it("drops properties that are undefined", () => {
    expect(copyOfState({ a: undefined, b: { c: undefined, d: 1 } })).toStrictEqual({ b: { d: 1 } });
  });

  it("keeps __proto__ as a key like any other", () => {
    const text = '{"a":{"__proto__":{"polluted":true}},"__proto__":null}';
    const copy = copyOfState(JSON.parse(text));
    expect(JSON.stringify(copy)).toBe(text);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy).not.toHaveProperty("a.polluted");
  });

  it("turns -0 into 0", () => {
    expect(Object.is(copyOfState(-0), 0)).toBe(true);
  });

  it("keeps lone surrogates, NUL and U+2028 in values and keys", () => {
    const odd = { "\udc00\ud800": ["\ud83d", "\u0000\u2028"] };
    expect(copyOfState(odd)).toStrictEqual(odd);
  });

  it("accepts objects without a prototype, objects of other realms, and proxies", () => {
    expect(copyOfState(Object.assign(Object.create(null), { a: 1 }))).toStrictEqual({ a: 1 });
    expect(copyOfState(vm.runInNewContext("({ a: [{ b: 1 }] })"))).toStrictEqual({ a: [{ b: 1 }] });
    expect(copyOfState(new Proxy({ a: new Proxy([1], {}) }, {}))).toStrictEqual({ a: [1] });
  });

  it("accepts the same object in two places", () => {
    const shared = { a: [1] };
    expect(copyOfState([shared, shared, { shared }])).toStrictEqual([
      { a: [1] },
      { a: [1] },
      { shared: { a: [1] } },
    ]);
  });

  it("reads a getter once", () => {
    let reads = 0;
    const copy = copyOfState({
      get count() {
        return ++reads;
      },
    });
    expect([copy, reads]).toStrictEqual([{ count: 1 }, 1]);
  });

  it("ignores what is not enumerable, as JSON does", () => {
    const marked = Object.defineProperty({ a: 1 }, Symbol("mark"), { value: true });
    expect(copyOfState(Object.defineProperty(marked, "hidden", { value: 1n }))).toStrictEqual({ a: 1 });
  });

  it("accepts 500 levels and refuses 501, whatever the innermost value is", () => {
    expect(copyOfState(nested(500))).toStrictEqual(nested(500));
    const error = invalidArgument(() => copyOfState(nested(501)));
    expect(error.message).toMatch(/nested more than 500 levels deep: make it flatter/);
  });
});
