import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/arguments/limits.js";
import { copyItems, requireItems } from "../../src/arguments/lists.js";
import { requireString } from "../../src/arguments/require-value.js";
import * as protocol from "../../src/backend.js";
import { cloneJson } from "../../src/json/clone-json.js";
import { isDeeplyFrozen } from "../../src/json/frozen.js";

const { requireOptions, SessionError } = protocol;

/** An argument from a caller without types. */
function untyped<Expected>(value: unknown): Expected {
  return value as Expected;
}

function refusal(call: () => unknown): protocol.SessionError {
  try {
    call();
  } catch (error) {
    if (SessionError.is(error)) return error;
    throw new Error("a foreign error", { cause: error });
  }
  throw new Error("it was accepted");
}

/** An array whose `length` returns these values, one after the other, and then 10⁹. */
function lying(item: unknown, ...lengths: number[]): readonly unknown[] {
  let reads = 0;
  return new Proxy([], {
    get(target, key) {
      if (key === "length") return lengths.shift() ?? 1e9;
      if (typeof key !== "string" || !/^\d+$/.test(key)) return Reflect.get(target, key);
      if (++reads > 1000) throw new Error("the whole list is walked");
      return item;
    },
    has: () => true,
  });
}

describe("requireOptions", () => {
  const NAMES = { commitId: true, limit: "count", kind: ["a", "b"], work: "function" } as const;
  type Options = { commitId?: unknown; limit?: unknown; kind?: unknown; work?: unknown };
  const check = (options: unknown): Options => requireOptions<Options>(untyped(options), NAMES);

  test("suggests the option that was probably meant", () => {
    const { message } = refusal(() => check({ comitId: "c" }));
    expect(message).toBe('options.comitId is not known. Did you mean "commitId"?');
  });

  test("lists the known options if none is similar", () => {
    expect(refusal(() => check({ zzz: 1 })).message).toContain("Known: commitId, limit, kind, work.");
  });

  test("refuses an unknown option even if it is undefined, and keys of Object.prototype", () => {
    expect(refusal(() => check({ comitId: undefined })).code).toBe("INVALID_ARGUMENT");
    expect(refusal(() => check(JSON.parse('{"__proto__":1}'))).code).toBe("INVALID_ARGUMENT");
    expect(refusal(() => check({ toString: 1 })).code).toBe("INVALID_ARGUMENT");
  });

  test("checks the kinds of options, and accepts undefined", () => {
    for (const bad of [{ limit: -1 }, { limit: "1" }, { kind: "c" }, { kind: {} }, { work: 1 }])
      expect(refusal(() => check(bad)).code, JSON.stringify(bad)).toBe("INVALID_ARGUMENT");
    expect(check({ limit: 0, kind: "b", work: undefined })).toEqual({ limit: 0, kind: "b", work: undefined });
  });

  test("reads every field once, so that a getter cannot return another value after the check", () => {
    let reads = 0;
    const options = {
      get limit() {
        return reads++ === 0 ? 1 : "many";
      },
    };
    expect(check(options)).toEqual({ limit: 1 });
    expect(reads).toBe(1);
  });

  test("has the error of a throwing getter as its cause", () => {
    const cause = new TypeError("no");
    const error = refusal(() =>
      check({
        get limit() {
          throw cause;
        },
      }),
    );
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", cause });
  });

  test("shows no object in an error message, because one without a prototype cannot be converted to text", () => {
    expect(refusal(() => check({ limit: Object.create(null) })).message).toContain("not an object");
    expect(refusal(() => check({ kind: "x".repeat(10_000) })).message.length).toBeLessThan(200);
  });
});

describe("lists", () => {
  test("the length of a list is read once, and a later length is ignored", () => {
    expect(requireItems(lying("x", 2), "ids", DEFAULT_LIMITS, requireString)).toEqual(["x", "x"]);
    expect(copyItems(untyped<string[]>(lying("x", 2)), "ids", DEFAULT_LIMITS)).toEqual(["x", "x"]);
    expect(cloneJson(lying(1, 2), "value", 100).value).toEqual([1, 1]);
  });

  test("a list over the limit is TOO_LARGE before an item is read", () => {
    const error = refusal(() => requireItems(lying("x"), "ids", DEFAULT_LIMITS, requireString));
    expect(error).toMatchObject({ code: "TOO_LARGE", limit: DEFAULT_LIMITS.items });
    expect(refusal(() => cloneJson(lying(1), "value", 1000)).code).toBe("TOO_LARGE");
  });
});

describe("JSON that never ends", () => {
  const unfolding = (levels: number): unknown =>
    Array.from({ length: levels }).reduce(
      (value: unknown) => Object.freeze([value, value]),
      Object.freeze([]),
    );

  test("is refused at the limit of bytes", () => {
    expect(refusal(() => cloneJson(unfolding(40), "value", 10_000)).code).toBe("TOO_LARGE");
    expect(isDeeplyFrozen(unfolding(40))).toBe(false);
    expect(isDeeplyFrozen(unfolding(5))).toBe(true);
  });

  test("is reported as a cycle if it is one, also if the limit of bytes comes first", () => {
    const cyclic: Record<string, unknown> = { text: "x".repeat(1000) };
    cyclic["self"] = { inner: cyclic };
    for (const maxBytes of [5000, Number.POSITIVE_INFINITY]) {
      const error = refusal(() => cloneJson(cyclic, "value", maxBytes));
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT", path: "value.self.inner" });
      expect(error.message).toContain("cycle");
    }
  });

  test("does not keep estimateTokens, textOf, toolLinksOf or jsonify running for ever", () => {
    const cyclic: Record<string, unknown> = { id: "m", role: "user", createdAt: 0 };
    cyclic["content"] = [cyclic, { content: cyclic }];
    expect(refusal(() => protocol.estimateTokens(untyped(cyclic))).code).toBe("TOO_LARGE");
    const long = { id: "m", role: "user", createdAt: 0, content: lying({ type: "text", text: "x" }) };
    expect(refusal(() => protocol.estimateTokens(untyped(long))).code).toBe("TOO_LARGE");
    expect(protocol.textOf(long)).toBe("");
    expect(protocol.toolLinksOf(long)).toEqual({ calls: [], results: [] });
    expect(protocol.jsonify({ a: lying(1) })).toEqual({ a: "[too large]" });
  });
});

describe("builders and createStore", () => {
  test.each<[string, () => unknown]>([
    ["append", () => protocol.append({ role: "user" }, untyped({ onExising: "keep" }))],
    ["append, null", () => protocol.append({ role: "user" }, untyped(null))],
    ["splice", () => protocol.splice(0, [], untyped({ forse: true }))],
    ["extend", () => protocol.extend("m", untyped({ txt: "x" }))],
    ["extend, another op", () => protocol.extend("m", untyped({ op: "delete" }))],
    ["archive", () => protocol.archive("m", untyped({ archivId: "a" }))],
    ["settleArchive", () => protocol.settleArchive("a", untyped({ sumary: "x" }))],
    ["restore", () => protocol.restore("n", untyped(null))],
    ["set", () => protocol.set(untyped({ titel: "x" }))],
    ["interruptTurn", () => protocol.interruptTurn(untyped({ turnID_: "t" }))],
    ["createStore", () => protocol.createStore(untyped(null))],
    ["createStore, a backend of nothing", () => protocol.createStore(untyped({}))],
  ])("%s refuses unknown options", (_, call) => {
    expect(refusal(call).code).toBe("INVALID_ARGUMENT");
  });

  test.each<[string, unknown]>([
    ["an unknown option", { conflictDeadlineMS_: 1 }],
    ["an unknown limit", { limits: { messageByte: 1 } }],
    ["a limit that is no number", { limits: { idBytes: "512" } }],
    ["half a clock", { clock: { now: () => 0 } }],
    ["ids without next", { ids: {} }],
    ["null", null],
  ])("createStore refuses %s", (_, options) => {
    const backend = { capabilities: {}, commit: () => undefined };
    expect(refusal(() => protocol.createStore(untyped(backend), untyped(options))).code).toBe(
      "INVALID_ARGUMENT",
    );
  });

  test("summarizeArchives rejects an invalid store and invalid options", async () => {
    await expect(protocol.summarizeArchives(untyped(null), untyped({}))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    const store = untyped<protocol.SessionStore>({ getSession: () => undefined });
    for (const options of [null, {}, { summarise: () => "" }])
      await expect(protocol.summarizeArchives(store, untyped(options))).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
      });
  });
});
