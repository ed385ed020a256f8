/** `SESSIONS_SEED`, which repeats a run, or else a random seed. */
export function seedFromEnvironment(): number {
  const value = process.env["SESSIONS_SEED"];
  if (value === undefined) return Math.floor(Math.random() * 0x7fffffff);
  const seed = Number(value);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error(`SESSIONS_SEED must be a whole number, not "${value}"`);
  return seed;
}
