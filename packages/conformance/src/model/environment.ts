/** `SESSIONS_MODEL_RUNS` sets how many sequences are run. */
export function modelRuns(standard: number): number {
  const given = process.env["SESSIONS_MODEL_RUNS"];
  if (given === undefined) return standard;
  const runs = Number(given);
  if (!Number.isSafeInteger(runs) || runs < 1)
    throw new Error(`SESSIONS_MODEL_RUNS must be a whole number of at least 1, not "${given}"`);
  return runs;
}

/** `SESSIONS_MODEL_PATH`, together with `SESSIONS_SEED`, repeats one sequence that failed. */
export function modelPath(): string | undefined {
  return process.env["SESSIONS_MODEL_PATH"];
}
