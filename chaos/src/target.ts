import type { Finding } from "./judge/finding.js";
import { judge, sortLog } from "./judge/judge.js";
import { type Tally, tallyOf } from "./judge/tally.js";
import type { LogLine } from "./log/log-line.js";
import type { Rows } from "./report.js";
import type { Program } from "./run/worker-process.js";
import { judgeTurns } from "./turns/judge/judge-turns.js";
import { sortTurns } from "./turns/judge/sort-turns.js";
import { tallyTurns } from "./turns/judge/tally-turns.js";
import type { TargetName } from "./worker/worker-task.js";

/** The result of judging a log. */
interface Judgement {
  readonly tally: Tally;
  readonly sessions: number;
  readonly findings: readonly Finding[];
}

/** The programs of a run, and how its log is judged. */
export interface Target {
  readonly worker: Program;
  readonly finalRead: Program;
  /** The default number of workers. */
  readonly writers: number;
  /** A run goes on until it has made this many calls, however slow the machine is. Fewer prove nothing. */
  readonly leastCallsPerWriter: number;
  readonly judge: (lines: readonly LogLine[]) => Judgement;
  readonly rows: Rows;
}

const STORE: Target = {
  worker: "calls/worker",
  finalRead: "calls/final-read",
  writers: 4,
  leastCallsPerWriter: 200,
  judge(lines) {
    const log = sortLog(lines);
    return { tally: tallyOf(log), sessions: log.finalStates.length, findings: judge(log) };
  },
  rows: [
    ["lost", "lost"],
    ["doubled", "doubled"],
    ["invented", "invented", "resurrected"],
    ["order violations", "order"],
    ["stale reads", "stale-read"],
    ["revision violations", "revision"],
    ["turn violations", "two-turns", "fence"],
    ["listing violations", "listing"],
    ["feed violations", "feed"],
    ["failed verifications", "verification"],
    ["unexpected errors", "unexpected-error", "malformed"],
  ],
};

const TURNS: Target = {
  worker: "turns/worker",
  finalRead: "turns/final-read",
  writers: 3,
  leastCallsPerWriter: 100,
  judge(lines) {
    const log = sortTurns(lines);
    return { tally: tallyTurns(log), sessions: log.conversations.length, findings: judgeTurns(log) };
  },
  rows: [
    ["lost", "lost"],
    ["doubled", "doubled"],
    ["mixed", "mixed"],
    ["wrong outcomes", "outcome"],
    ["miscounted usage", "usage"],
    ["unsettled", "unsettled"],
    ["failed verifications", "verification"],
    ["unexpected errors", "unexpected-error"],
  ],
};

export const targets: Readonly<Record<TargetName, Target>> = { store: STORE, bots: TURNS, agents: TURNS };
