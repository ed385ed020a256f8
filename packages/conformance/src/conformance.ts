import { describe, test } from "vitest";
import { applicable } from "./applicable.js";
import { CASE_TIMEOUT_MS, type Case, type Section } from "./case.js";
import type { ExpectedFailure, Harness } from "./harness.js";
import { runCase } from "./run-case.js";
import { sections } from "./sections/index.js";
import { seedFromEnvironment } from "./seed.js";

/**
 * Registers the whole kit with vitest: await it in a test file of your store. It opens one place first, to read the
 * store's capabilities, and registers the cases that apply.
 *
 * @example
 * ```ts
 * import { conformance, type Place } from "@sessions/conformance";
 *
 * declare function emptyPlace(): Promise<Place>; // yours
 *
 * await conformance({ name: "my-store", place: emptyPlace });
 * ```
 */
export async function conformance(harness: Harness): Promise<void> {
  const seed = seedFromEnvironment();
  const chosen = await applicable(harness, sectionsOf(harness));
  requireKnownCases(harness, chosen);
  describe(`${harness.name} conforms (seed ${seed})`, () => {
    for (const section of chosen) registerSection(harness, section, seed);
  });
}

/** The sections of this run. An unknown name in `coveredElsewhere` throws: it would leave nothing out. */
function sectionsOf({ coveredElsewhere = [] }: Harness): readonly Section[] {
  for (const name of coveredElsewhere)
    if (!sections.some((section) => section.name === name)) throw new Error(`There is no section "${name}".`);
  return sections.filter(({ name }) => !coveredElsewhere.includes(name));
}

function registerSection(harness: Harness, section: Section, seed: number): void {
  describe(section.name, { concurrent: section.runsAlone !== true }, () => {
    for (const one of section.cases) {
      const expected = expectedFailure(harness, section, one);
      const register = expected === undefined ? test : test.fails;
      const title =
        expected === undefined ? titleOf(one) : `expected to fail, ${expected.reason}: ${titleOf(one)}`;
      register(title, { timeout: one.timeoutMs ?? CASE_TIMEOUT_MS }, () => runCase(harness, one, seed));
    }
  });
}

function expectedFailure(harness: Harness, section: Section, one: Case): ExpectedFailure | undefined {
  return harness.expectedFailures?.find(
    (failure) => failure.section === section.name && failure.case === one.name,
  );
}

/** An expected failure must name a case that is registered. */
function requireKnownCases(harness: Harness, chosen: readonly Section[]): void {
  for (const expected of harness.expectedFailures ?? []) {
    const section = chosen.find(({ name }) => name === expected.section);
    if (section?.cases.some(({ name }) => name === expected.case) !== true)
      throw new Error(`Expected to fail, but there is no such case: ${expected.section}: ${expected.case}`);
  }
}

function titleOf(one: Case): string {
  return one.guarantees.length === 0 ? one.name : `${one.name} [${one.guarantees.join(" ")}]`;
}
