import fc from "fast-check";
import { type LookIntent, lookIntent } from "./look-intent.js";
import { type RequestIntent, requestIntent } from "./request-intent.js";

/** One step of a sequence: a batch of commits, or a restart; then a look at everything. */
export type StepIntent =
  | {
      readonly step: "commit";
      /** Which of the two instances that have the same data open. */
      readonly instance: 0 | 1;
      readonly requests: readonly RequestIntent[];
      /** Whether messages that were read through that instance are given back as they are, not as copies. */
      readonly givesBack: boolean;
      readonly look: LookIntent;
    }
  | { readonly step: "reopen"; readonly instance: 0 | 1; readonly look: LookIntent };

const instance = fc.constantFrom(0 as const, 0 as const, 1 as const);

const commit: fc.Arbitrary<StepIntent> = fc.record({
  step: fc.constant("commit" as const),
  instance,
  requests: fc.array(requestIntent, { minLength: 1, maxLength: 4 }),
  givesBack: fc.boolean(),
  look: lookIntent,
});

const reopen: fc.Arbitrary<StepIntent> = fc.record({
  step: fc.constant("reopen" as const),
  instance,
  look: lookIntent,
});

/** A sequence of steps on a few sessions. */
export const sequenceOfSteps: fc.Arbitrary<readonly StepIntent[]> = fc.array(
  fc.oneof({ weight: 12, arbitrary: commit }, { weight: 1, arbitrary: reopen }),
  { minLength: 1, maxLength: 30, size: "max" },
);
