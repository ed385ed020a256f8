/** Runs a block of operations. Returns the milliseconds of one operation. */
export type Cost = () => Promise<number>;

const WARM_UP = 2;
const ROUNDS = 4;

/**
 * The cost of one operation ÷ that of another, once for each run. Both are measured in the same run in short alternating blocks,
 * so that noise affects both. Neither is always the first.
 */
export async function alternating(runs: number, one: Cost, other: Cost): Promise<readonly number[]> {
  const ratios: number[] = [];
  for (let run = -WARM_UP; run < runs; run++) {
    const ratio = await ratioOf(one, other);
    if (run >= 0) ratios.push(ratio);
  }
  return ratios;
}

async function ratioOf(one: Cost, other: Cost): Promise<number> {
  let [ones, others] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 1) others += await other();
    ones += await one();
    if (round % 2 === 0) others += await other();
  }
  return ones / others;
}

/** Measures an operation that is repeated in a block. The time of `undo` is not counted. */
export function costOf(times: number, work: () => Promise<unknown>, undo?: () => Promise<unknown>): Cost {
  return async () => {
    let spent = 0;
    for (let time = 0; time < times; time++) {
      const start = performance.now();
      await work();
      spent += performance.now() - start;
      await undo?.();
    }
    return spent / times;
  };
}
