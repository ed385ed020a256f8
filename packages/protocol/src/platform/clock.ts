/** Time, handed in so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds that only grow. */
  monotonic(): number;
  /** Calls back after `ms` and returns what cancels it. A `background` timer keeps no process alive. */
  after(ms: number, callback: () => void, background?: boolean): () => void;
}
