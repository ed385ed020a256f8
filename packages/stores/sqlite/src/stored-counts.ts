/** How many rows of a session there are. */
export interface StoredCounts {
  readonly labels: number;
  readonly parts: number;
  readonly commits: number;
  readonly turns: number;
}
