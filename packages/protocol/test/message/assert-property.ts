import * as fc from "fast-check";

/** Checks a synchronous property: `fc.assert` without the promise type. */
export function holds<Given>(property: fc.IProperty<Given>, runs?: fc.Parameters<Given>): void {
  const outcome = fc.check(property, runs);
  if (outcome.failed) throw new Error(fc.defaultReportMessage(outcome), { cause: outcome.errorInstance });
}
