import * as fc from "fast-check";

/** Checks a property that is not asynchronous: `fc.assert` without the promise that it might return. */
export function holds<Given>(property: fc.IProperty<Given>, runs?: fc.Parameters<Given>): void {
  const outcome = fc.check(property, runs);
  if (outcome.failed) throw new Error(fc.defaultReportMessage(outcome), { cause: outcome.errorInstance });
}
