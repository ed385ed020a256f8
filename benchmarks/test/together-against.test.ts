import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { grammyFile } from "peers";
import { expect, onTestFinished, test } from "vitest";
import { atLeast } from "../src/bar.js";
import { togetherAgainst } from "../src/measurements/together-against.js";
import { ownRelaxedJsonFile } from "../src/peers/own-stores.js";
import type { Pair } from "../src/peers/pairs.js";
import { measuredOf, type Tally } from "../src/peers/tally.js";

test("a store that loses messages misses its bar: here grammY's in place of ours", async () => {
  const pair: Pair = { ours: grammyFile, theirs: { ...grammyFile, ...ownRelaxedJsonFile }, bar: atLeast(0) };
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { note, problem } = await togetherAgainst(pair).measure({ runs: 1, folder });
  expect(note).toMatch(/^lost of 2000: ours [1-9]\d*, theirs 0; /);
  expect(problem).toMatch(/^ours lost [1-9]/);
});

test("a store that refuses messages misses its bar", () => {
  const ours = { ...whole, acknowledged: 9, kept: 9, failures: ["STORE_BUSY"] };
  expect(measuredOf(10, [{ ours, theirs: whole }]).problem).toBe("ours lost 0, 1 failed (STORE_BUSY)");
  expect(measuredOf(10, [{ ours: whole, theirs: whole }])).toMatchObject({ values: [1] });
});

test("a conversation that cannot be read is lost as a whole, and still gives a figure", () => {
  const theirs: Tally = { ...whole, kept: "unreadable" };
  const { values, note } = measuredOf(10, [{ ours: whole, theirs }]);
  expect(values).toEqual([10]);
  expect(note).toContain("theirs 10, unreadable afterwards in 1 of 1 runs");
});

const whole: Tally = { elapsed: 1, cpu: 1, acknowledged: 10, failures: [], kept: 10 };
