/** Time. It is passed in, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds that only grow. */
  monotonic(): number;
  /** Calls back after `ms`, and returns a function that cancels it. A `background` timer does not keep the process alive. */
  after(ms: number, callback: () => void, background?: boolean): () => void;
}
