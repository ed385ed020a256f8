import vm from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cloneJson } from "../../src/json/clone-json.js";
import { jsonify } from "../../src/json/jsonify.js";
import { json } from "./arbitrary-json.js";

class Point {
  x = 1;
  when: Date = new Date(0);
  get derived(): number {
    return 2;
  }
  method(): number {
    return 3;
  }
}

function thrower(error: unknown): () => never {
  return () => {
    throw error;
  };
}

describe("jsonify", () => {
  it("leaves JSON as it is", () => {
    fc.assert(
      fc.property(json(), (value) => {
        expect(jsonify(value)).toStrictEqual(cloneJson(value, "value").value);
      }),
    );
  });

  it("turns any value into JSON that can be stored", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withTypedArray: true,
      withSparseArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const result = jsonify(value);
        expect(cloneJson(result, "value").value).toStrictEqual(result);
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, unknown, unknown]>([
    ["undefined", undefined, null],
    ["a function", () => 1, null],
    ["a symbol", Symbol("s"), null],
    ["NaN", Number.NaN, null],
    ["Infinity", [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], [null, null]],
    ["-0", -0, 0],
    ["a BigInt", 2n ** 64n, "18446744073709551616"],
    ["a Date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid Date", new Date(Number.NaN), null],
    ["a Map with strings as keys", new Map([["a", new Date(0)]]), { a: "1970-01-01T00:00:00.000Z" }],
    ["a Map with a key __proto__", new Map([["__proto__", 1]]), JSON.parse('{"__proto__":1}')],
    ["an empty Map", new Map(), {}],
    [
      "a Map with other keys",
      new Map<unknown, unknown>([
        [1, "a"],
        ["b", 2n],
      ]),
      [
        [1, "a"],
        ["b", "2"],
      ],
    ],
    ["a Set", new Set([1, new Set(["a"]), undefined]), [1, ["a"], null]],
    ["a regular expression", /a+/gi, "/a+/gi"],
    ["a URL", new URL("https://example.org/a?b=c"), "https://example.org/a?b=c"],
    ["boxed values", [Object(1), Object("a"), Object(true), Object(1n)], [1, "a", true, "1"]],
    ["bytes", Uint8Array.of(0, 255, 128, 1), "AP+AAQ=="],
    ["a Buffer", Buffer.from("hello"), "aGVsbG8="],
    ["a view of part of a buffer", new DataView(Uint8Array.of(9, 104, 105, 9).buffer, 1, 2), "aGk="],
    ["an ArrayBuffer", Uint8Array.of(104, 105, 33).buffer, "aGkh"],
    ["an instance of a class", new Point(), { x: 1, when: "1970-01-01T00:00:00.000Z" }],
    ["things without JSON in an object", { a: undefined, b: () => 1, c: Symbol("s"), d: 1 }, { d: 1 }],
    ["things without JSON in an array", [undefined, () => 1, Symbol("s")], [null, null, null]],
    ["holes", new Array(2), [null, null]],
    ["symbol keys", { [Symbol("s")]: 1, a: 2 }, { a: 2 }],
    [
      "values of another realm",
      vm.runInNewContext("[new Date(0), new Map([['a', 1]]), new Set([1])]"),
      ["1970-01-01T00:00:00.000Z", { a: 1 }, [1]],
    ],
  ])("of %s", (_, value, result) => {
    expect(jsonify(value)).toStrictEqual(result);
  });

  it("includes the code and the causes of errors", () => {
    const cause = Object.assign(new TypeError("inner"), { code: "E_INNER" });
    expect(jsonify(new RangeError("outer", { cause }))).toStrictEqual({
      name: "RangeError",
      message: "outer",
      cause: { name: "TypeError", message: "inner", code: "E_INNER" },
    });
    expect(jsonify(vm.runInNewContext("new Error('far')"))).toStrictEqual({ name: "Error", message: "far" });
  });

  it("calls toJSON once, with the key, and converts its result", () => {
    const value = { toJSON: (key: string) => ({ key, at: new Date(0), toJSON: () => "not again" }) };
    expect(jsonify({ k: value })).toStrictEqual({ k: { key: "k", at: "1970-01-01T00:00:00.000Z" } });
    expect(jsonify([{ toJSON: () => undefined }, { toJSON: () => new Map([["a", 1]]) }])).toEqual([
      null,
      { a: 1 },
    ]);
    expect(jsonify({ gone: { toJSON: () => undefined } })).toStrictEqual({});
  });

  it("marks the places where a value is circular, and no others", () => {
    const shared = { s: 1 };
    const map = new Map<string, unknown>([["shared", shared]]);
    const root = { list: [shared, map], shared };
    map.set("root", root);
    expect(jsonify(root)).toStrictEqual({
      list: [{ s: 1 }, { shared: { s: 1 }, root: "[circular]" }],
      shared: { s: 1 },
    });
    const parent: Record<string, unknown> = {};
    parent["child"] = { toJSON: () => parent };
    expect(jsonify(parent)).toStrictEqual({ child: "[circular]" });
  });

  it("marks the places where a value is too deep, and the result can be stored", () => {
    const endless = (): object => ({ toJSON: () => ({ next: endless() }) });
    for (const deep of [endless(), deepMap(600), deepArray(501)]) {
      const result = jsonify(deep);
      expect(JSON.stringify(result)).toContain('"[too deep]"');
      expect(cloneJson(result, "value").value).toStrictEqual(result);
    }
    expect(JSON.stringify(jsonify(deepArray(500)))).not.toContain("[too deep]");
  });

  it("ends for a graph of objects that expands exponentially", () => {
    const layers = Array.from({ length: 60 }, (): unknown[] => []);
    for (const [index, layer] of layers.entries()) layer.push(layers[index + 1] ?? 0, layers[index + 1] ?? 0);
    expect(JSON.stringify(jsonify({ layers }))).toContain('"[too large]"');
    expect(jsonify(new Array(2 ** 32 - 1))).toContain("[too large]");
  });

  it("marks a property that cannot be read, and keeps the rest", () => {
    const value = {
      get bad(): unknown {
        throw new Error("boom");
      },
      json: { toJSON: thrower("text") },
      keys: new Proxy({}, { ownKeys: thrower(new Error("no keys")) }),
      odd: { toJSON: thrower({ toString: thrower(1) }) },
      spoof: { [Symbol.toStringTag]: "Date" },
      good: { a: 1 },
    };
    expect(jsonify([value, value.good])).toStrictEqual([
      {
        bad: "[unreadable: boom]",
        json: "[unreadable: text]",
        keys: "[unreadable: no keys]",
        odd: "[unreadable]",
        spoof: expect.stringMatching(/^\[unreadable: /),
        good: { a: 1 },
      },
      { a: 1 },
    ]);
  });

  it("does not throw for a value that cannot be read at all", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(jsonify(proxy)).toMatch(/^\[unreadable: /);
  });
});

function deepArray(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

function deepMap(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = new Map<unknown, unknown>([[level, value]]);
  return value;
}
