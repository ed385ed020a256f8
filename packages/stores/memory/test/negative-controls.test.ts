import {
  type Control,
  controls,
  type Failure,
  type Harness,
  runSection,
  type Section,
  sections,
} from "@sessions/conformance";
import { afterAll, describe, expect, test } from "vitest";
import { damageablePlace } from "./damageable-place.js";
import { memoryPlace } from "./memory-place.js";

const SEED = 1;
/** A control that makes a case wait for what never comes is caught by not being done in time. */
const HANGING_MS = 3_000;

const memory: Harness = { name: "memory", place: async () => memoryPlace() };
const damageable: Harness = { name: "damageable memory", place: async () => damageablePlace() };

/** Where the fault can show: in memory, or in the stand-in for an engine that can be damaged. */
function harnessOf(control: Control): Harness {
  return control.applies?.(memoryPlace()) === false ? damageable : memory;
}

function sectionOf(control: Control): Section {
  const section = sections.find((one) => one.name === control.caughtBy);
  if (section === undefined) throw new Error(`there is no section "${control.caughtBy}"`);
  return section;
}

function broken(control: Control): Harness {
  const { place } = harnessOf(control);
  return { name: control.name, place: async () => control.breakPlace(await place()) };
}

const healthy = new Map<string, Promise<readonly Failure[]>>();

function healthyFailures(harness: Harness, section: Section): Promise<readonly Failure[]> {
  const key = `${harness.name}: ${section.name}`;
  const failures = healthy.get(key) ?? runSection(harness, section, SEED);
  healthy.set(key, failures);
  return failures;
}

const caught: string[] = [];

describe.concurrent("every deliberately broken store is rejected by the section that should reject it", () => {
  for (const control of controls) {
    test(`${control.name} → ${control.caughtBy}`, { timeout: 120_000 }, async () => {
      const section = sectionOf(control);
      expect(
        await healthyFailures(harnessOf(control), section),
        "the healthy store passes this section",
      ).toEqual([]);
      const timeoutMs = control.hangs === true ? { timeoutMs: HANGING_MS } : {};
      const [first] = await runSection(broken(control), section, SEED, { firstOnly: true, ...timeoutMs });
      expect(first, `${control.name} passed the section "${section.name}"`).toBeDefined();
      if (control.hangs !== true)
        expect(first?.timedOut, "caught by a difference, not by waiting").toBe(false);
      caught.push(
        `| ${control.name} | ${section.name} | ${first?.case}${first?.timedOut === true ? " (not in time)" : ""} |`,
      );
    });
  }

  afterAll(() => {
    console.log(["| control | section | first failing case |", "|---|---|---|", ...caught].join("\n"));
  });
});

describe.concurrent("the sections about damage pass an engine that behaves", () => {
  for (const name of [
    "corruption",
    "repeated reads of damage",
    "missing part",
    "foreign and damaged entries",
    "lost data",
    "schema",
    "unreachable",
    "reported outcomes are true",
  ]) {
    test(name, { timeout: 60_000 }, async () => {
      const section = sections.find((one) => one.name === name);
      expect(section === undefined ? "no such section" : await healthyFailures(damageable, section)).toEqual(
        [],
      );
    });
  }
});
