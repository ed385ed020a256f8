// The built package: workers run its files with node.
import { runSection, type Section, sections } from "@sessions/conformance";
import { describe, expect, test } from "vitest";
import { type Fault, socketHarness } from "./socket-store/socket-place.js";

const SEED = 1;
const TIMEOUT_MS = 300_000;
/** For a fault that makes a case wait until its timeout. */
const HANGS = { timeoutMs: 5_000 } as const;
const NAMES = [
  "several processes append",
  "several processes change",
  "several processes take turns",
  "several processes are killed",
  "several processes watch",
] as const;

function sectionOf(name: (typeof NAMES)[number]): Section {
  const section = sections.find((one) => one.name === name);
  if (section === undefined) throw new Error(`there is no section "${name}"`);
  return section;
}

describe("a store for several processes passes", () => {
  for (const name of NAMES) {
    test(name, { timeout: TIMEOUT_MS }, async () => {
      expect(await runSection(socketHarness(), sectionOf(name), SEED)).toEqual([]);
    });
  }
});

describe.concurrent("the section notices a store that", () => {
  const faults: readonly (readonly [Fault, (typeof NAMES)[number], RegExp, options?: typeof HANGS])[] = [
    ["acknowledges before it applies", "several processes append", /hundred appends by each/],
    ["ignores commit ids", "several processes append", /commit id that four processes send/],
    ["reads from a cache", "several processes append", /acknowledged in one process is read/],
    ["ignores preconditions", "several processes change", /replace the whole history/],
    ["ignores fences", "several processes take turns", /paused holder that is resumed/],
    ["takes turns over at once", "several processes take turns", /one at a time/],
    ["feeds no deletions", "several processes watch", /deletion/, HANGS],
  ];
  for (const [fault, name, expected, options] of faults) {
    test(`${fault} (${name})`, { timeout: TIMEOUT_MS }, async () => {
      const section = sectionOf(name);
      const cases = section.cases.filter((one) => expected.test(one.name));
      const failures = await runSection(socketHarness(fault), { ...section, cases }, SEED, options);
      expect(failures).toMatchObject([{ timedOut: options === HANGS }]);
    });
  }
});
