import { describe, expect, test } from "vitest";
import { type EnumerationOptions, enumerate } from "./enumeration.js";
import { judging, TIMEOUT_MS } from "./judging.js";
import { openBackend } from "./open-backend.js";
import type { Run } from "./recording.js";
import { play, type Scenario } from "./scenario.js";
import { SCENARIOS } from "./scenarios/scenarios.js";

const judge = judging("power cut in");

describe("after a power cut all that was acknowledged is there, whole and in order, and nothing else than was asked for", () => {
  for (const scenario of SCENARIOS) {
    test(
      scenario.name,
      async () => {
        const run = await play(scenario, openBackend);
        if (scenario.rotateBytes !== undefined) expect(candidatesOf(run)).toBeGreaterThan(0);
        judge(scenario.name, await enumerate(run, openBackend, tearsOf(scenario)));
      },
      TIMEOUT_MS,
    );
  }
});

/** A plain append is torn at every byte, whatever the sample: where a line may be cut depends on no scenario. */
function tearsOf({ name }: Scenario): EnumerationOptions {
  return name === "append, one after the other" ? { tears: "every byte" } : {};
}

/** How many segments were prepared: a run without rotation would prove nothing about it. */
function candidatesOf({ events }: Run): number {
  return events.filter(
    (event) => event.kind === "named" && event.call === "create" && event.path.endsWith(".candidate"),
  ).length;
}
