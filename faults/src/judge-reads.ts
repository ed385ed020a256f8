import { refusedOrSame, sameAs } from "./judge-changes.js";
import type { TrialCalls } from "./trial-calls.js";
import { textOfResult } from "./view.js";

/** A read returns what is stored or fails, and changes nothing. */
export async function judgeReads(calls: TrialCalls): Promise<readonly string[]> {
  const { task, outcomes } = calls;
  const { folder, expectations } = task;
  const expected = await expectations.results();
  const wrong = outcomes.flatMap(({ effect, result }, index) =>
    effect === "done" && textOfResult(result) !== expected[index]
      ? [`a read returned a wrong result: ${textOfResult(result)}, and not ${expected[index]}`]
      : [],
  );
  const before = await expectations.after([], false);
  return [
    ...wrong,
    ...(await sameAs(before, () => folder.freshView(), "a new store after a read")),
    ...(await refusedOrSame(calls, before)),
    ...(await sameAs(before, () => folder.viewAfterKill(), "a store after a read and a kill")),
  ];
}
