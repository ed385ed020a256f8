import { expect, test } from "vitest";
import { checkPromises } from "../checks/check-promises.mjs";
import { plant } from "./plant.mjs";

const guide = "# Turns\n\nOne turn at a\ntime ([why](why.md)). | a \\| b | c |\n";
const suite = `test("a second turn waits", () => {});\n`;
const row = (sentence, tests) => `| promise | test |\n|---|---|\n| ${sentence} | ${tests} |\n`;

function findingsOf(page) {
  return checkPromises(
    plant({ "docs/guide/turns.md": guide, "test/turns.test.ts": suite, "docs/promises/turns.md": page }),
  ).findings;
}

const named = `[turns](../../test/turns.test.ts): "a second turn waits"`;

test("a sentence of the guide with a test that exists is fine, over line ends and links too", () => {
  expect(findingsOf(row("One turn at a time (why).", named))).toEqual([]);
  expect(findingsOf(row("a \\| b", `${named}<br>${named}`))).toEqual([]);
});

test("a sentence that the guide does not say is found", () => {
  expect(findingsOf(row("Two turns at a time.", named))).toEqual([
    expect.stringContaining(`docs/promises/turns.md:3: docs/guide/turns.md does not say "Two turns`),
  ]);
});

test("a test that does not exist is found, by its file and by its title", () => {
  const sentence = "One turn at a time";
  expect(findingsOf(row(sentence, named.replace("turns.test", "gone.test")))).toHaveLength(1);
  expect(findingsOf(row(sentence, named.replace("second", "third")))).toHaveLength(1);
});

test("a row without a test, or with one that cannot be looked up, is found", () => {
  expect(findingsOf(row("One turn at a time", ""))).toHaveLength(1);
  expect(findingsOf(row("One turn at a time", "turns.test.ts"))).toHaveLength(1);
});
