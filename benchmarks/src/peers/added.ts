/** The report of a worker about the messages that it added. */
export interface Added {
  /** The ids of acknowledged messages. */
  readonly acknowledged: readonly string[];
  /** The errors of the others. */
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
