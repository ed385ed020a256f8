import { expect, test } from "vitest";
import { expressionIn } from "../../src/arithmetic/expression-in.js";

test.each([
  ["what is 2 + 3 * 4?", "2 + 3 * 4"],
  ["12*12", "12*12"],
  ["please calculate (1+2)^3.", "(1+2)^3"],
  ["is 1 + 1 more than 10 - 3 * 2?", "10 - 3 * 2"],
  ["-3 - -4", "-3 - -4"],
])("the sentence %s contains the expression %s", (sentence, expression) => {
  expect(expressionIn(sentence)).toBe(expression);
});

test.each(["hello", "I am 42.", "call me at 5", "a-b", "see chapter 3.", "on 2024-05-17", "1, 2, 3", "(x)"])(
  "the sentence %s contains no expression",
  (sentence) => {
    expect(expressionIn(sentence)).toBeUndefined();
  },
);
