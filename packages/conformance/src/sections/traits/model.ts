import { behaviour } from "../../behaviour.js";
import type { CaseContext, Section } from "../../case.js";
import type { Place } from "../../harness.js";
import { checkProperty } from "../../model/check-property.js";
import { storeHasClock } from "../../model/model-clock.js";
import { sequenceOfActions } from "../../model/naive/action-intent.js";
import { NaiveSequence } from "../../model/naive/naive-sequence.js";
import { Sequence } from "../../model/sequence.js";
import { sequenceOfSteps } from "../../model/step-intent.js";

const RUNS = 300;
const NAIVE_RUNS = 200;
const TIMEOUT_MS = 900_000;
/** A sequence leaves four tombstones, and every step lists all sessions: one place for all sequences would become slow. */
const SEQUENCES_PER_PLACE = 20;

export const model: Section = {
  name: "model",
  runsAlone: true,
  cases: [
    behaviour(
      "random commits leave exactly the state that applyCommit computes, after every step and after reopening",
      ["G2", "G3", "G4", "G5", "G6", "G7", "G9", "G12", "G14", "G15", "G16", "G17"],
      async (_store, context) => {
        const hasClock = await storeHasClock(await context.openBackend());
        const nextPlace = placesFrom(context);
        let count = 0;
        const run = async (steps: Parameters<Sequence["run"]>[0], transcript: unknown[]): Promise<void> => {
          const place = await nextPlace();
          const sequence = new Sequence({
            open: () => place.openBackend(),
            storeHasClock: hasClock,
            name: `q${++count}`,
            transcript,
          });
          await sequence.run(steps);
        };
        await checkProperty(sequenceOfSteps, run, { seed: context.seed, runs: RUNS });
      },
      { timeoutMs: TIMEOUT_MS },
    ),
    behaviour(
      "random calls of public methods leave the same state as a model of plain arrays",
      ["G4", "G5", "G11", "G12", "G13", "G14", "G15"],
      async (store, { open, seed }) => {
        const stores = [store, await open()] as const;
        let count = 0;
        await checkProperty(
          sequenceOfActions,
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

/** Returns the place of the next sequence: a new one every `SEQUENCES_PER_PLACE` calls. */
function placesFrom({ newPlace }: CaseContext): () => Promise<Place> {
  let place: Promise<Place> | undefined;
  let sequences = 0;
  return () => {
    if (sequences++ % SEQUENCES_PER_PLACE === 0) place = newPlace();
    return place ?? newPlace();
  };
}
