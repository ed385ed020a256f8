import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArithmeticError } from "../../src/arithmetic/arithmetic-error.js";
import { evaluate } from "../../src/arithmetic/evaluate.js";
import { plainNumber } from "../../src/arithmetic/plain-number.js";

describe("an expression", () => {
  test.each([
    ["2 + 3 * 4", 14],
    ["(2 + 3) * 4", 20],
    ["7 - 3 - 2", 2],
    ["100 / 10 / 5", 2],
    ["7 % 4", 3],
    ["2^3^2", 512],
    ["-2^2", -4],
    ["2^-1", 0.5],
    ["--3", 3],
    ["+5 - -5", 10],
    [".5 + 1.25", 1.75],
    ["3 × 4 ÷ 2 − 1", 5],
    ["2 ** 10", 1024],
    [" ( 1 ) ", 1],
  ])("the expression %s is %d", (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  test.each([
    ["", "missing at the end"],
    ["1 +", "missing at the end"],
    ["(1 + 2", "not closed"],
    ["1 + 2)", 'did not expect ")"'],
    ["1 2", 'did not expect "2"'],
    ["* 2", 'did not expect "*"'],
    ["1 / 0", "divided by zero"],
    ["5 % (2 - 2)", "divided by zero"],
    ["9^9^9", "not a number"],
    ["process.exit()", 'cannot calculate with "process.exit()"'],
    ["1 + a", 'cannot calculate with "a"'],
    ["1".repeat(1001), "too long"],
    [`${"(".repeat(200)}1${")".repeat(200)}`, "nested too deep"],
    ["-".repeat(500), "nested too deep"],
  ])("the expression %s is refused with a reason", (expression, reason) => {
    expect(() => evaluate(expression)).toThrow(ArithmeticError);
    expect(() => evaluate(expression)).toThrow(reason);
  });
});

/** A tree whose value is known without reading it: what the parser must come to. */
interface Tree {
  readonly text: string;
  readonly value: number;
  /** How tightly its outermost operator binds. */
  readonly binds: number;
}

const leaf: fc.Arbitrary<Tree> = fc
  .integer({ min: 0, max: 99 })
  .map((value) => ({ text: String(value), value, binds: 4 }));

/** Brackets only where they are needed, so that precedence and direction are what is tested. */
const within = (tree: Tree, least: number): string => (tree.binds >= least ? tree.text : `(${tree.text})`);

function joined(operator: string, left: Tree, right: Tree): Tree {
  if (operator === "+")
    return { text: `${within(left, 1)} + ${within(right, 2)}`, value: left.value + right.value, binds: 1 };
  if (operator === "-")
    return { text: `${within(left, 1)} - ${within(right, 2)}`, value: left.value - right.value, binds: 1 };
  return { text: `${within(left, 2)} * ${within(right, 3)}`, value: left.value * right.value, binds: 2 };
}

const { tree } = fc.letrec<{ tree: Tree; node: Tree }>((tie) => ({
  tree: fc.oneof({ depthSize: "small", withCrossShrink: true }, leaf, tie("node")),
  node: fc.oneof(
    fc
      .tuple(fc.constantFrom("+", "-", "*"), tie("tree"), tie("tree"))
      .map(([operator, left, right]) => joined(operator, left, right)),
    tie("tree").map((inner) => ({ text: `-${within(inner, 3)}`, value: -inner.value, binds: 3 })),
  ),
}));

test("any tree of sums, differences, products and signs is evaluated correctly", () => {
  fc.assert(
    fc.property(tree, ({ text, value }) => {
      fc.pre(text.length <= 1000);
      expect(evaluate(text) + 0).toBe(value + 0);
    }),
  );
});

test("every text gives a number or an ArithmeticError", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.+-*/%^() ab".split("")) }), (text) => {
      try {
        expect(evaluate(text)).toSatisfy(Number.isFinite);
      } catch (error) {
        expect(error).toBeInstanceOf(ArithmeticError);
      }
    }),
  );
});

test("numbers are printed without rounding errors", () => {
  expect(plainNumber(0.1 + 0.2)).toBe("0.3");
  expect(plainNumber(-0)).toBe("0");
  expect(plainNumber(1 / 3)).toBe("0.333333333333333");
  expect(plainNumber(2 ** 53 - 1)).toBe("9007199254740990");
});
