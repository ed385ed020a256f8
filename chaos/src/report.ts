import type { Finding } from "./judge/finding.js";
import type { Tally } from "./judge/tally.js";
import type { DisturbanceCounts } from "./nemesis/nemesis.js";
import type { ServerLayout } from "./stores/chaos-store.js";
import type { TargetName } from "./worker/worker-task.js";

/** The result of a run. `--json` prints it. */
export interface Report extends Tally {
  readonly target: TargetName;
  readonly store: string;
  readonly servers: ServerLayout;
  readonly seed: number;
  readonly writers: number;
  readonly seconds: number;
  readonly disturbances: DisturbanceCounts;
  /** Disturbances and checks that were left out, and why. */
  readonly skipped: readonly string[];
  readonly sessions: number;
  /** The number of findings, by the rows of the table. Empty if the run was interrupted before it was judged. */
  readonly found: Readonly<Record<string, number>>;
  /** The first findings. */
  readonly findings: readonly Finding[];
  readonly verdict: "sound" | "violated" | "interrupted";
  /** The folder with the logs and the data, if they are kept. */
  readonly kept?: string;
}

/** The rows of the table, each with the kinds of findings that it counts. */
export type Rows = readonly (readonly [row: string, ...kinds: readonly Finding["kind"][]])[];

/** Counts findings by the rows of the table. */
export function countFindings(rows: Rows, findings: readonly Finding[]): Report["found"] {
  return Object.fromEntries(
    rows.map(([row, ...kinds]) => [row, findings.filter(({ kind }) => kinds.includes(kind)).length]),
  );
}
