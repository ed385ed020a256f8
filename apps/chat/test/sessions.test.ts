import { expect, test } from "vitest";
import { ageOf } from "../src/sessions/age.js";
import { titleFor } from "../src/sessions/title.js";

test("a title is the first words of the user", () => {
  expect(titleFor("  tell me\na story ")).toBe("tell me a story");
  expect(titleFor("one two three four five six seven eight")).toBe("one two three four five six seven …");
  expect([...titleFor("😀".repeat(100))]).toHaveLength(50);
});

test.each([
  [0, "just now"],
  [59_999, "just now"],
  [60_000, "1 minute ago"],
  [7_200_000, "2 hours ago"],
  [86_400_000 * 3, "3 days ago"],
  [-5, "just now"],
])("an age of %d ms is %s", (ms, words) => {
  expect(ageOf(1_000_000_000_000 - ms, 1_000_000_000_000)).toBe(words);
});
