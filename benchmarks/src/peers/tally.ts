import type { Measured } from "../row.js";

/** What became of the messages that several processes added at once. */
export interface Tally {
  /** In ms. */
  readonly elapsed: number;
  /** In ms: how long all of them kept processors busy. */
  readonly cpu: number;
  /** Those that a writer was told are kept. */
  readonly acknowledged: number;
  /** Why others are not. */
  readonly failures: readonly string[];
  /** Those of them that a reader is shown afterwards. */
  readonly kept: number | "unreadable";
}

/** One run of each. */
export interface Tallies {
  readonly ours: Tally;
  readonly theirs: Tally;
}

/** Several of them as one. */
export function inAll(tallies: readonly Tally[]): Tally {
  const sum = (figure: (tally: Tally) => number): number =>
    tallies.reduce((total, tally) => total + figure(tally), 0);
  const isUnreadable = tallies.every(({ kept }) => kept === "unreadable");
  return {
    elapsed: sum(({ elapsed }) => elapsed),
    cpu: sum(({ cpu }) => cpu),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    failures: tallies.flatMap(({ failures }) => failures),
    kept: isUnreadable ? "unreadable" : sum(({ kept }) => (kept === "unreadable" ? 0 : kept)),
  };
}

/** Of so many messages in each run: what was kept per second as ratios, and what was lost. Ours may lose and refuse none. */
export function measuredOf(all: number, runs: readonly Tallies[]): Measured {
  const [ours, theirs] = [runs.map((run) => run.ours), runs.map((run) => run.theirs)];
  const ratios = (figure: (tally: Tally) => number) =>
    runs.map((run) => figure(run.ours) / figure(run.theirs));
  const note = `lost of ${all}: ours ${range(ours.map(lost))}, theirs ${fate(theirs)}`;
  const cpu = (tallies: readonly Tally[]): string =>
    `${((2 * inAll(tallies).cpu) / (all * tallies.length)).toFixed(2)} ms`;
  const done = ratios(({ acknowledged, elapsed }) => acknowledged / elapsed).map((ratio) => ratio.toFixed(2));
  return {
    values: ratios(keptPerMs),
    note: `${note}; acknowledged per second, lost or not: ${done.join(", ")}×; CPU per turn: ours ${cpu(ours)}, theirs ${cpu(theirs)}`,
    ...(ours.every((tally) => tally.kept === all) ? {} : { problem: `ours lost ${fate(ours)}` }),
  };
}

function lost({ acknowledged, kept }: Tally): number {
  return kept === "unreadable" ? acknowledged : acknowledged - kept;
}

/** Where none was kept one is counted, so that there is a figure. */
function keptPerMs(tally: Tally): number {
  return Math.max(tally.acknowledged - lost(tally), 1) / tally.elapsed;
}

/** How many were lost, and what else went wrong. */
function fate(tallies: readonly Tally[]): string {
  const [failure] = tallies.flatMap(({ failures }) => failures);
  const unreadable = tallies.filter(({ kept }) => kept === "unreadable").length;
  return [
    range(tallies.map(lost)),
    ...(failure === undefined
      ? []
      : [`${range(tallies.map(({ failures }) => failures.length))} failed (${failure})`]),
    ...(unreadable > 0 ? [`unreadable afterwards in ${unreadable} of ${tallies.length} runs`] : []),
  ].join(", ");
}

function range(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${least}` : `${least}–${most}`;
}
