/** `SESSIONS_SEED` repeats a run; otherwise every run is another one. */
export function seedFromEnvironment(): number {
  const given = process.env["SESSIONS_SEED"];
  if (given === undefined) return Math.floor(Math.random() * 0x7fffffff);
  const seed = Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error(`SESSIONS_SEED must be a whole number, not "${given}"`);
  return seed;
}
