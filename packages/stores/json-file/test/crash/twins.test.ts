import { afterAll, describe, expect, test } from "vitest";
import { enumerate } from "./enumeration.js";
import { PATIENCE_MS } from "./judging.js";
import { type OpenBackend, openBackend } from "./open-backend.js";
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

/** Kinds of violations, each with the first one. Some twins go wrong without any crash. */
async function violationsOf(scenario: Scenario, open: OpenBackend): Promise<ReadonlyMap<string, string>> {
  const run = await play(scenario, open).catch((error: unknown) => `the run itself: ${String(error)}`);
  if (typeof run === "string") return new Map([[run, run]]);
  return (await enumerate(run, open)).kinds;
}

const usual = new Map<string, Promise<ReadonlyMap<string, string>>>();

/** What the store itself does wrong in a scenario: nothing, one hopes. It would tell nothing about a twin. */
function usualIn(scenario: Scenario): Promise<ReadonlyMap<string, string>> {
  const known = usual.get(scenario.name) ?? violationsOf(scenario, openBackend);
  usual.set(scenario.name, known);
  return known;
}

describe("the enumeration catches", () => {
  for (const twin of TWINS) {
    test(
      twin.name,
      async () => {
        const scenario = scenarioOf(twin.scenario);
        const found = await violationsOf(scenario, await openTwin(twin));
        const usual = await usualIn(scenario);
        const caught = [...found].filter(([kind]) => !usual.has(kind)).map(([, first]) => first);
        rows.push([twin.name, twin.scenario, caught[0] ?? "NOT CAUGHT"]);
        expect(caught).not.toEqual([]);
      },
      PATIENCE_MS,
    );
  }
});
