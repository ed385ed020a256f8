// The built package: workers run its files with node.
import { runSection, type Section, sections } from "@sessions/conformance";
import { describe, expect, test } from "vitest";
import { type Fault, socketHarness } from "./socket-store/socket-place.js";

const SEED = 1;
const TIMEOUT_MS = 300_000;
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

describe("the section notices a store that", () => {
  const faults: readonly (readonly [Fault, (typeof NAMES)[number]])[] = [
    ["acknowledges before it applies", "several processes append"],
    ["ignores commit ids", "several processes append"],
    ["reads from a cache", "several processes append"],
    ["ignores preconditions", "several processes change"],
    ["ignores fences", "several processes take turns"],
    ["takes turns over at once", "several processes take turns"],
    ["feeds no deletions", "several processes watch"],
  ];
  for (const [fault, name] of faults) {
    test(`${fault} (${name})`, { timeout: TIMEOUT_MS }, async () => {
      const failures = await runSection(socketHarness(fault), sectionOf(name), SEED, { firstOnly: true });
      expect(failures.map((failure) => `${failure.case}: ${String(failure.error)}`)).not.toEqual([]);
    });
  }
});
