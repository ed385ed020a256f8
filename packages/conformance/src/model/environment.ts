/** The number of sequences to run: `SESSIONS_MODEL_RUNS`, or else the standard. */
export function modelRuns(standard: number): number {
  const value = process.env["SESSIONS_MODEL_RUNS"];
  if (value === undefined) return standard;
  const runs = Number(value);
  if (!Number.isSafeInteger(runs) || runs < 1)
    throw new Error(`SESSIONS_MODEL_RUNS must be a whole number of at least 1, not "${value}"`);
  return runs;
}

/** `SESSIONS_MODEL_PATH`. Together with `SESSIONS_SEED` it repeats one failed sequence. */
export function modelPath(): string | undefined {
  return process.env["SESSIONS_MODEL_PATH"];
}
