import fc from "fast-check";
import { type ReadIntent, readIntent } from "./read-intent.js";
import { type RequestIntent, requestIntent } from "./request-intent.js";

/** One step of a sequence: a batch of commits or a restart, followed by a read. */
export type StepIntent =
  | {
      readonly step: "commit";
      /** Which of two instances on the same data commits. */
      readonly instance: 0 | 1;
      readonly requests: readonly RequestIntent[];
      /** Whether messages that were read through that instance are sent as the same objects, not as copies. */
      readonly reusesObjects: boolean;
      readonly read: ReadIntent;
    }
  | { readonly step: "reopen"; readonly instance: 0 | 1; readonly read: ReadIntent };

const instance = fc.constantFrom(0 as const, 0 as const, 1 as const);

const commit: fc.Arbitrary<StepIntent> = fc.record({
  step: fc.constant("commit" as const),
  instance,
  requests: fc.array(requestIntent, { minLength: 1, maxLength: 4 }),
  reusesObjects: fc.boolean(),
  read: readIntent,
});

const reopen: fc.Arbitrary<StepIntent> = fc.record({
  step: fc.constant("reopen" as const),
  instance,
  read: readIntent,
});

/** A sequence of steps. */
export const sequenceOfSteps: fc.Arbitrary<readonly StepIntent[]> = fc.array(
  fc.oneof({ weight: 12, arbitrary: commit }, { weight: 1, arbitrary: reopen }),
  { minLength: 1, maxLength: 30, size: "max" },
);
