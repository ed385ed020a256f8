import { refusedOrSame, sameAs } from "./judge-changes.js";
import type { Tried } from "./tried.js";
import { textOfResult } from "./view.js";

/** A read returns what is stored or fails, and changes nothing. */
export async function judgeReads(tried: Tried): Promise<readonly string[]> {
  const { task, outcomes } = tried;
  const { place, expectations } = task;
  const expected = await expectations.results();
  const wrong = outcomes.flatMap(({ meaning, result }, index) =>
    meaning === "done" && textOfResult(result) !== expected[index]
      ? [`a read told what is not so: ${textOfResult(result)}, and not ${expected[index]}`]
      : [],
  );
  const before = await expectations.after([], false);
  return [
    ...wrong,
    ...(await sameAs(before, () => place.freshView(), "a new store after a read")),
    ...(await refusedOrSame(tried, before)),
    ...(await sameAs(before, () => place.viewAfterKill(), "a store after a read and a kill")),
  ];
}
