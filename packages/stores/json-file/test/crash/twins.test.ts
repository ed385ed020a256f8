import { afterAll, describe, expect, test } from "vitest";
import { enumerate } from "./enumeration.js";
import { TIMEOUT_MS } from "./judging.js";
import type { OpenBackend } from "./open-backend.js";
import { openTwin, removeTwins } from "./open-twin.js";
import { play, type Scenario } from "./scenario.js";
import { SCENARIOS } from "./scenarios/scenarios.js";
import { table } from "./table.js";
import { TWINS } from "./twins.js";

const rows: (readonly string[])[] = [["twin", "caught by", "first violation"]];

afterAll(async () => {
  await removeTwins();
  console.log(table(rows));
});

function scenarioOf(wanted: string): Scenario {
  const scenario = SCENARIOS.find(({ name }) => name === wanted);
  if (scenario === undefined) throw new Error(`there is no scenario "${wanted}"`);
  return scenario;
}

/** The first violation of each kind: the store itself has none (enumeration.test.ts). Some twins go wrong without any crash. */
async function violationsOf(scenario: Scenario, open: OpenBackend): Promise<readonly string[]> {
  const run = await play(scenario, open).catch((error: unknown) => `the run itself: ${String(error)}`);
  return typeof run === "string"
    ? [run]
    : [...(await enumerate(run, open, { maxViolations: 1 })).kinds.values()];
}

describe("the enumeration catches", () => {
  for (const twin of TWINS) {
    test(
      twin.name,
      async () => {
        const scenario = scenarioOf(twin.scenario);
        const [caught] = await violationsOf(scenario, await openTwin(twin));
        rows.push([twin.name, twin.scenario, caught ?? "NOT CAUGHT"]);
        expect(caught).toBeDefined();
      },
      TIMEOUT_MS,
    );
  }
});
