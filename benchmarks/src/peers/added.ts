/** What a worker tells of the messages that it added. */
export interface Added {
  /** The ids of those that it was told are kept. */
  readonly acknowledged: readonly string[];
  /** Why the others are not. */
  readonly failures: readonly string[];
  /** For how long its process kept a processor busy. */
  readonly cpuMs: number;
}

export function isAdded(word: unknown): word is Added {
  return (
    typeof word === "object" &&
    word !== null &&
    "acknowledged" in word &&
    "failures" in word &&
    "cpuMs" in word
  );
}
