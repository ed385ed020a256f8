import type { Measured } from "../row.js";

/** The result for messages that several processes added concurrently. */
export interface Tally {
  /** In ms. */
  readonly elapsed: number;
  /** In ms: how long all of them kept processors busy. */
  readonly cpu: number;
  /** Acknowledged messages. */
  readonly acknowledged: number;
  /** The errors of the others. */
  readonly failures: readonly string[];
  /** Acknowledged messages that a reader gets afterwards. */
  readonly kept: number | "unreadable";
}

/** One run of each. */
export interface Tallies {
  readonly ours: Tally;
  readonly theirs: Tally;
}

/** Adds up several tallies. */
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

/** Counts one if none was kept, so that there is a figure. */
function keptPerMs(tally: Tally): number {
  return Math.max(tally.acknowledged - lost(tally), 1) / tally.elapsed;
}

/** The number of lost messages, and the errors. */
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
