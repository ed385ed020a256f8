import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RULES } from "../src/plain-append.js";
import { type Lane, PlainLane } from "../src/plain-lane.js";
import type { SqliteContext } from "../src/sqlite-context.js";
import { dumpOf, lostRows } from "./lane/dump.js";
import { broken } from "./lane/mutants.js";
import {
  brim,
  draft,
  fork,
  keep,
  named,
  plain,
  read,
  remove,
  type Step,
  snapshot,
  steps,
  together,
} from "./lane/steps.js";
import { Twin } from "./lane/twin.js";

/** More of them: `SESSIONS_LANE_RUNS=1000`. */
const RUNS = Number(process.env["SESSIONS_LANE_RUNS"] ?? 20);

const CLOSED: Lane = { take: () => undefined };

/** Each needs another rule, or another thing that the lane must do. */
const examples: [readonly Step[]][] = [
  [plain(70), draft, plain(2)],
  [plain(3), named, plain(2), named],
  [plain(3), snapshot, keep(1), plain(2)],
  [together(500), plain(2)],
  [together(364), remove("into runs", intoRuns), plain(3)],
  [plain(3), brim(0), fork, plain(2, "f")],
  [plain(3), brim(1), plain(3)],
  [plain(3), read, plain(2), fork, plain(2, "f"), plain(2)],
].map((example) => [example]);

/** A hundred runs of two messages, then 32 of one: those are merged, and there are too many still. */
function intoRuns(index: number): boolean {
  return index < 300 ? index % 3 === 2 : index % 2 === 1;
}

/** Whether both ways lead to the same rows, after every step. */
function sameRows(laneOf: (context: SqliteContext) => Lane, taken: { count: number }) {
  return fc.asyncProperty(steps, async (all) => {
    await using lane = await Twin.open(laneOf);
    await using general = await Twin.open(() => CLOSED);
    for (const { name, run } of all) {
      await run(lane);
      await run(general);
      expect(lane.outcomes, name).toEqual(general.outcomes);
      expect(dumpOf(lane.db), name).toBe(dumpOf(general.db));
      expect(lostRows(lane.db), name).toEqual([]);
    }
    taken.count += lane.taken;
  });
}

describe("the plain lane", () => {
  test("leaves the very rows that the general way leaves", async () => {
    const taken = { count: 0 };
    await fc.assert(
      sameRows((context) => new PlainLane(context), taken),
      { numRuns: RUNS, examples },
    );
    expect(taken.count).toBeGreaterThan(RUNS); // else nothing was compared
  }, 300_000);

  test.each(Object.keys(RULES))("needs its rule that %s", async (rule) => {
    const rules = Object.fromEntries(Object.entries(RULES).filter(([name]) => name !== rule));
    const property = sameRows((context) => new PlainLane(context, rules), { count: 0 });
    expect(
      await fc.check(property, { numRuns: examples.length, examples, endOnFailure: true }),
    ).toMatchObject({ failed: true });
  });

  test.each(Object.entries(broken))("is caught where it %s", async (_name, laneOf) => {
    const property = sameRows(laneOf, { count: 0 });
    expect(
      await fc.check(property, { numRuns: examples.length, examples, endOnFailure: true }),
    ).toMatchObject({ failed: true });
  });
});
