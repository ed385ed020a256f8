/** The contents of a store after some of the calls of an operation, if nothing fails. */
export interface Expectations {
  /** The contents after exactly these calls, and after the write of another process if there was one. */
  after(calls: readonly number[], otherWriter: boolean): Promise<string>;
  /** The results of the operation's calls, as text. */
  results(): Promise<readonly string[]>;
}

/** Every set of calls that includes `least` and is included in `most`. */
export function setsBetween(
  least: readonly number[],
  most: readonly number[],
): readonly (readonly number[])[] {
  const open = most.filter((call) => !least.includes(call));
  return Array.from({ length: 2 ** open.length }, (_, bits) => [
    ...least,
    ...open.filter((_call, index) => ((bits >> index) & 1) === 1),
  ]);
}
