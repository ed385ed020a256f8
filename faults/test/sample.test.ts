import { expect, test } from "vitest";
import { useFaultsRun } from "./run.js";

/** `npm run faults` tries all of them. */
const SAMPLE = 60;

const SEED = 7;

test.each(["json-file", "sqlite"])(
  "callers of %s get true answers when one system call fails, for a sample of all faults",
  async (store) => {
    const args = ["--store", store, "--sample", String(SAMPLE), "--seed", String(SEED), "--json"];
    await useFaultsRun(args, async (run) => {
      const { verdict, seed, stores } = await run.report();
      expect(stores.flatMap(({ violations }) => violations)).toEqual([]);
      expect(verdict).toBe("sound");
      expect(seed).toBe(SEED);
      expect((await run.ended).code).toBe(0);
      // A run in which nothing fails would be sound as well.
      const answers = stores[0]?.tally.answers ?? {};
      for (const answer of ["done", "STORE_FULL", "STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"])
        expect(answers[answer], answer).toBeGreaterThan(0);
      expect(stores[0]?.tally.missed).toBeLessThan(SAMPLE / 10);
    });
  },
);
