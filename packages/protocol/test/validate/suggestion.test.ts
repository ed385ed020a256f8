import { expect, test } from "vitest";
import { suggestion } from "../../src/arguments/suggestion.js";

const NAMES = ["commitId", "ifRevision", "fence", "force", "base", "signal"];

test.each([
  ["baes", "base"],
  ["bsae", "base"],
  ["bas", "base"],
  ["fnece", "fence"],
  ["comitId", "commitId"],
  ["ifRevsion", "ifRevision"],
  ["IFREVISION", "ifRevision"],
])("%s is taken for a misspelt %s", (given, meant) => {
  expect(suggestion(given, NAMES)).toBe(` Did you mean "${meant}"?`);
});

test.each(["bask in", "sabe", "xy", "limit", "aseb", ""])("%j is like no name", (given) => {
  expect(suggestion(given, NAMES)).toBe("");
});
