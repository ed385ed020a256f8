import fc from "fast-check";
import { modelPath, modelRuns } from "./environment.js";

/** A failure of the property. */
interface Failing {
  readonly error: unknown;
  /** The steps that led to it. */
  readonly transcript: readonly unknown[];
}

/** The time limit for shrinking: the failure must be reported before the test's timeout. */
const SHRINK_MS = 60_000;

/** Runs a property. A failure is reported in its smallest form, with the seed and path that repeat it. */
export async function checkProperty<Input>(
  input: fc.Arbitrary<Input>,
  run: (input: Input, transcript: unknown[]) => Promise<void>,
  options: { readonly seed: number; readonly runs: number },
): Promise<void> {
  let smallest: Failing | undefined;
  let failedAt = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(input, async (one) => {
    if (performance.now() - failedAt > SHRINK_MS) return; // counts as passed, which ends the shrinking
    const transcript: unknown[] = [];
    try {
      await run(one, transcript);
    } catch (error) {
      // Each failure during shrinking is smaller than the one before, so the last is the smallest.
      smallest = { error, transcript };
      failedAt = Math.min(failedAt, performance.now());
      throw error;
    }
  });
  const path = modelPath();
  const details = await fc.check(property, {
    seed: options.seed,
    numRuns: modelRuns(options.runs),
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return;
  throw new Error(report(details, smallest), { cause: smallest?.error ?? details.errorInstance });
}

type Details = Pick<fc.RunDetails<unknown>, "numRuns" | "numShrinks" | "seed" | "counterexamplePath">;

function report(details: Details, smallest: Failing | undefined): string {
  const { error } = smallest ?? {};
  const steps = (smallest?.transcript ?? []).map((step, index) => `  ${index + 1}. ${JSON.stringify(step)}`);
  return [
    `after ${details.numRuns} sequences: ${error instanceof Error ? error.message : String(error)}`,
    `Repeat it with SESSIONS_SEED=${details.seed} SESSIONS_MODEL_PATH=${details.counterexamplePath}`,
    `The steps that lead to it (shrunk ${details.numShrinks} times):`,
    ...steps,
  ].join("\n");
}
