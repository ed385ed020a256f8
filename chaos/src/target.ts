import type { Finding } from "./judge/finding.js";
import { judge, sortLog } from "./judge/judge.js";
import { type Tally, tallyOf } from "./judge/tally.js";
import type { LogLine } from "./log/log-line.js";
import type { Rows } from "./report.js";
import type { Program } from "./run/worker-process.js";
import { judgeTurns } from "./turns/judge/judge-turns.js";
import { sortTurns } from "./turns/judge/sort-turns.js";
import { tallyOfTurns } from "./turns/judge/tally-of-turns.js";
import type { TargetName } from "./worker/worker-task.js";

/** The judgement of a log. */
interface Judged {
  readonly tally: Tally;
  readonly sessions: number;
  readonly findings: readonly Finding[];
}

/** What the processes of a run do, and how it is judged. */
export interface Target {
  readonly worker: Program;
  readonly audit: Program;
  /** The default number of workers. */
  readonly writers: number;
  /** A run with fewer calls proves nothing. On a slow machine it takes longer. */
  readonly leastCallsPerWriter: number;
  readonly judge: (lines: readonly LogLine[]) => Judged;
  readonly rows: Rows;
}

const STORE: Target = {
  worker: "calls/worker",
  audit: "calls/audit",
  writers: 4,
  leastCallsPerWriter: 200,
  judge(lines) {
    const log = sortLog(lines);
    return { tally: tallyOf(log), sessions: log.audited.length, findings: judge(log) };
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
    ["unexpected errors", "surprise", "malformed"],
  ],
};

const TURNS: Target = {
  worker: "turns/worker",
  audit: "turns/audit",
  writers: 3,
  leastCallsPerWriter: 100,
  judge(lines) {
    const log = sortTurns(lines);
    return { tally: tallyOfTurns(log), sessions: log.conversations.length, findings: judgeTurns(log) };
  },
  rows: [
    ["lost", "lost"],
    ["doubled", "doubled"],
    ["mixed", "mixed"],
    ["wrong outcomes", "outcome"],
    ["miscounted usage", "usage"],
    ["unsettled", "unsettled"],
    ["failed verifications", "verification"],
    ["unexpected errors", "surprise"],
  ],
};

export const targets: Readonly<Record<TargetName, Target>> = { store: STORE, bots: TURNS, agents: TURNS };
