import { type Clock, elapsedMs } from "./spent.js";

/** Runs a block of operations. Returns the milliseconds of one operation. */
export type Cost = () => Promise<number>;

const WARM_UP = 2;
const ROUNDS = 4;

/**
 * The cost of one operation ÷ that of another, once for each run. Both are measured in the same run in short alternating blocks,
 * so that noise affects both. Neither is always the first.
 */
export async function alternating(runs: number, one: Cost, other: Cost): Promise<readonly number[]> {
  return (await alternatingCosts(runs, one, other)).map(([ones, others]) => ones / others);
}

/** The two costs themselves, once for each run. */
export async function alternatingCosts(
  runs: number,
  one: Cost,
  other: Cost,
): Promise<readonly (readonly [one: number, other: number])[]> {
  const costs: (readonly [number, number])[] = [];
  for (let run = -WARM_UP; run < runs; run++) {
    const both = await costsOf(one, other);
    if (run >= 0) costs.push(both);
  }
  return costs;
}

async function costsOf(one: Cost, other: Cost): Promise<readonly [number, number]> {
  let [ones, others] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 1) others += await other();
    ones += await one();
    if (round % 2 === 0) others += await other();
  }
  return [ones / ROUNDS, others / ROUNDS];
}

/** Measures an operation that is repeated in a block. The time of `undo` is not counted. */
export function costOf(
  times: number,
  work: () => Promise<unknown>,
  undo?: () => Promise<unknown>,
  clock: Clock = elapsedMs,
): Cost {
  return async () => {
    let spent = 0;
    for (let time = 0; time < times; time++) {
      const start = clock();
      await work();
      spent += clock() - start;
      await undo?.();
    }
    return spent / times;
  };
}
