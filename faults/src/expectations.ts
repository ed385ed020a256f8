/** What a store holds after some of an operation's calls, found out by making them without any fault. */
export interface Expectations {
  /** After exactly these calls; with what another process wrote before them, if it did. */
  after(calls: readonly number[], otherWriter: boolean): Promise<string>;
  /** The results of the operation's calls, as text. */
  results(): Promise<readonly string[]>;
}

/** Every set of calls that has all of `least` and none but `most`. */
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
