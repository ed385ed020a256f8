import { describe, test } from "vitest";
import { judging, TIMEOUT_MS } from "./judging.js";
import { openBackend } from "./open-backend.js";
import { FIRST_CUTS, SEED } from "./sampling.js";
import { play } from "./scenario.js";
import { SCENARIOS } from "./scenarios/scenarios.js";
import { enumerateTwice } from "./two-crashes.js";

const first = { seed: SEED, cuts: FIRST_CUTS };

const judge = judging(`power cut, recovery, another cut: ${first.cuts} first cuts each, seed ${first.seed}`);

describe("after a power cut, recovery, appends and another power cut all that was acknowledged is there", () => {
  for (const scenario of SCENARIOS) {
    test(
      scenario.name,
      async () => {
        const run = await play(scenario, openBackend);
        judge(scenario.name, await enumerateTwice(run, openBackend, first));
      },
      TIMEOUT_MS,
    );
  }
});
