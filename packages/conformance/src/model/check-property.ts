import fc from "fast-check";
import { modelPath, modelRuns } from "./environment.js";

/** What a failing property reports with. */
interface Failing {
  readonly error: unknown;
  /** What was done, for people. */
  readonly transcript: readonly unknown[];
}

/** For so long a failure is made smaller: what is told late is told by nobody, since the test is over by then. */
const SHRINK_MS = 60_000;

/** Runs a property; a failure is told in the smallest form that was found, with what repeats it. */
export async function checkProperty<Input>(
  input: fc.Arbitrary<Input>,
  run: (input: Input, transcript: unknown[]) => Promise<void>,
  options: { readonly seed: number; readonly runs: number },
): Promise<void> {
  let smallest: Failing | undefined;
  let failedAt = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(input, async (one) => {
    if (performance.now() - failedAt > SHRINK_MS) return; // as if it were right: so nothing smaller is looked for
    const transcript: unknown[] = [];
    try {
      await run(one, transcript);
    } catch (error) {
      // Shrinking goes from failure to smaller failure: the last is the smallest.
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
    `The steps that lead to it (${details.numShrinks} times made smaller):`,
    ...steps,
  ].join("\n");
}
