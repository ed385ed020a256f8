import vm from "node:vm";
import { describe, expect, it } from "vitest";
import { cloneJson } from "../../src/json/clone-json.js";
import { invalidArgument } from "./invalid-argument.js";

class Point {
  x = 1;
}

function refused(value: unknown): { message: string; path: string | undefined; cause: unknown } {
  const { message, path, cause } = invalidArgument(() => cloneJson(value, "input"));
  return { message, path, cause };
}

describe("cloneJson refuses", () => {
  it.each<[string, unknown, RegExp]>([
    ["NaN", Number.NaN, /is NaN.*use null/],
    ["Infinity", Number.POSITIVE_INFINITY, /is Infinity.*use null/],
    ["-Infinity", Number.NEGATIVE_INFINITY, /is -Infinity.*use null/],
    ["a BigInt", 1n, /is a BigInt.*use a number or a string/],
    ["a function", () => 1, /is a function.*leave it out/],
    ["a class", Point, /is a function.*leave it out/],
    ["a symbol", Symbol("s"), /is a symbol.*leave it out/],
    ["a Date", new Date(0), /is a Date.*use jsonify\(value\)/],
    ["a Map", new Map(), /is a Map.*use jsonify\(value\)/],
    ["a Set", new Set(), /is a Set.*use jsonify\(value\)/],
    ["a RegExp", /x/, /is a RegExp.*use jsonify\(value\)/],
    ["an Error", new TypeError("x"), /is an Error.*use jsonify\(value\)/],
    ["a typed array", new Uint8Array(1), /is a Uint8Array.*use jsonify\(value\)/],
    ["an ArrayBuffer", new ArrayBuffer(1), /is an ArrayBuffer.*use jsonify\(value\)/],
    ["a boxed number", Object(1), /is a boxed Number.*use jsonify\(value\)/],
    ["a boxed string", Object("a"), /is a boxed String.*use jsonify\(value\)/],
    ["a boxed boolean", Object(false), /is a boxed Boolean.*use jsonify\(value\)/],
    ["a class instance", new Point(), /is an instance of Point.*use jsonify\(value\)/],
    ["a class instance without a name", new (class {})(), /is an instance of a class.*use jsonify\(value\)/],
    ["an object that inherits", Object.create({ a: 1 }), /is an instance of Object.*use jsonify\(value\)/],
    ["an heir of nothing", Object.create(Object.create(Object.create(null))), /is an instance of a class/],
    ["a Date of another realm", vm.runInNewContext("new Date(0)"), /is a Date.*use jsonify\(value\)/],
    ["undefined in an array", undefined, /is undefined.*use null/],
  ])("%s, with its path and what to do", (_, offender, message) => {
    const error = refused({ ok: [1, { deep: [0, offender] }] });
    expect(error.path).toBe("input.ok[1].deep[1]");
    expect(error.message.startsWith("input.ok[1].deep[1] is ")).toBe(true);
    expect(error.message).toMatch(message);
  });

  it("undefined itself", () => {
    expect(refused(undefined)).toMatchObject({
      path: "input",
      message: expect.stringMatching(/is undefined/),
    });
  });

  it("holes, even at the end", () => {
    // biome-ignore lint/suspicious/noSparseArray: the subject of the test
    expect(refused({ a: [1, , 3] })).toMatchObject({
      path: "input.a[1]",
      message: expect.stringMatching(/hole/),
    });
    expect(refused(new Array(3)).path).toBe("input[0]");
  });

  it("symbol keys, at the object that has them", () => {
    const error = refused({ first: { x: 1 }, second: { [Symbol("tag")]: 1 } });
    expect(error.path).toBe("input.second");
    expect(error.message).toMatch(/symbol key Symbol\(tag\).*use a string/);
  });

  it("cycles, where they close", () => {
    const list: unknown[] = [];
    const root = { a: { list, wide: "x" } };
    list.push(0, root);
    expect(refused(root)).toMatchObject({ path: "input.a.list[1]", message: expect.stringMatching(/cycle/) });
    const self: unknown[] = [];
    self.push(self);
    expect(refused(self).path).toBe("input[0]");
  });

  it("keys that are no identifiers in brackets", () => {
    const error = refused({ ok: 1, "odd key": { "": { __proto: 1, $1: [{ 'a"b': { é: 1n } }] } } });
    expect(error.path).toBe('input["odd key"][""].$1[0]["a\\"b"].é');
  });

  it("a getter that throws, with the cause", () => {
    const cause = new Error("no");
    const value = {
      fine: 1,
      list: [
        {
          get bad() {
            throw cause;
          },
        },
      ],
    };
    expect(refused(value)).toMatchObject({ path: "input.list[0].bad", cause });
  });

  it("a getter that throws a SessionError, with that error as the cause only", () => {
    const inner = invalidArgument(() => cloneJson(1n, "elsewhere"));
    const value = {
      get bad() {
        throw inner;
      },
    };
    expect(refused(value)).toMatchObject({ path: "input.bad", cause: inner });
  });

  it("proxies whose traps throw", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(refused({ a: [proxy] })).toMatchObject({ path: "input.a[0]", cause: expect.any(TypeError) });
  });
});
