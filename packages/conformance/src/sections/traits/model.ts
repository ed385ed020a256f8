import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { checkProperty } from "../../model/check-property.js";
import { storeHasClock } from "../../model/model-clock.js";
import { sequenceOfActs } from "../../model/naive/act-intent.js";
import { NaiveSequence } from "../../model/naive/naive-sequence.js";
import { Sequence } from "../../model/sequence.js";
import { sequenceOfSteps } from "../../model/step-intent.js";

const RUNS = 1000;
const NAIVE_RUNS = 500;
const TIMEOUT_MS = 900_000;

export const model: Section = {
  name: "model",
  cases: [
    behaviour(
      "random commits on a few sessions leave exactly what applyCommit says, after every step and after reopening",
      ["G2", "G3", "G4", "G5", "G6", "G7", "G9", "G12", "G14", "G15", "G16", "G17"],
      async (_store, { place, openBackend, seed }) => {
        const hasClock = await storeHasClock(await openBackend());
        let count = 0;
        const run = async (steps: Parameters<Sequence["run"]>[0], transcript: unknown[]): Promise<void> => {
          const sequence = new Sequence({
            open: () => place.openBackend(),
            storeHasClock: hasClock,
            name: `q${++count}`,
            transcript,
          });
          await sequence.run(steps);
        };
        await checkProperty(sequenceOfSteps, run, { seed, runs: RUNS });
      },
      { timeoutMs: TIMEOUT_MS },
    ),
    behaviour(
      "random calls of public methods leave what plain arrays would hold",
      ["G4", "G5", "G11", "G12", "G13", "G14", "G15"],
      async (store, { open, seed }) => {
        const stores = [store, await open()] as const;
        let count = 0;
        await checkProperty(
          sequenceOfActs,
          (acts, transcript) => new NaiveSequence(stores, `n${++count}`, transcript).run(acts),
          {
            seed,
            runs: NAIVE_RUNS,
          },
        );
      },
      { timeoutMs: TIMEOUT_MS },
    ),
  ],
};
