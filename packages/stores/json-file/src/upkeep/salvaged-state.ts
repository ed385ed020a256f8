import type { SessionState } from "@sessions/protocol/backend";
import type { CommitEntry } from "../session/lines/journal-line.js";
import type { JournalScan } from "./journal-scan.js";
import { type Replayed, replay } from "./replay.js";

/** A commit of a damaged session that is not in what was saved of it. */
export interface LostCommit {
  /** The revision that it led to. */
  readonly revision: number;
  /** Its commit id, where that can be read. */
  readonly commitId?: string;
  /** Why it is lost. */
  readonly reason: string;
}

/** What is left of a damaged session, and what is not. */
export interface SalvagedState {
  readonly state: SessionState | undefined;
  /** How many commits behind the damage were applied. */
  readonly applied: number;
  /** In the order of their revisions. */
  readonly lost: readonly LostCommit[];
}

type Damaged = Pick<JournalScan, "state" | "base" | "stranded" | "unreadable">;

const UNREADABLE = "it cannot be read";

/** Everything before the damage, and every commit behind it that can be applied. */
export function salvagedState(scan: Damaged, sessionId: string): SalvagedState {
  const losses = new Losses(scan);
  let state = scan.state ?? scan.base;
  let reached = state?.revision ?? 0;
  let applied = 0;
  for (const entry of scan.stranded) {
    const isBehindLoss = losses.all.length > 0 || entry.r > reached + 1;
    const step =
      isBehindLoss && countsMessages(entry) ? COUNTED_BEHIND_LOSS : replay(state, entry, sessionId);
    const isGap = step.status !== "applied" || !step.isNext;
    if (isGap) losses.range(reached + 1, entry.r - 1, UNREADABLE);
    if (step.status === "refused") losses.add(entry.r, step.reason, entry.k);
    if (step.status === "applied") {
      state = step.state;
      applied++;
    }
    reached = Math.max(reached, entry.r);
  }
  losses.unreadableFrom(reached + 1);
  return { state, applied, lost: losses.all };
}

const COUNTED_BEHIND_LOSS: Replayed = {
  status: "refused",
  reason: "it keeps a number of messages, and which ones they were is lost",
};

/** Whether a commit says how many messages it keeps: on a history with a gap it would drop others than it did. */
function countsMessages({ ops }: CommitEntry): boolean {
  return ops.some((op) => op.op === "splice" && typeof op.keep === "number" && op.keep > 0);
}

/** Only what stands before the damage. */
export function stateBeforeDamage(scan: Damaged): SalvagedState {
  const losses = new Losses(scan);
  let reached = scan.state?.revision ?? 0;
  for (const { r, k } of scan.stranded) {
    losses.range(reached + 1, r - 1, UNREADABLE);
    losses.add(r, "it stands behind the damage", k);
    reached = Math.max(reached, r);
  }
  losses.unreadableFrom(reached + 1);
  return { state: scan.state, applied: 0, lost: losses.all };
}

class Losses {
  readonly all: LostCommit[] = [];
  readonly #ids: ReadonlyMap<number, string>;

  constructor({ unreadable }: Damaged) {
    this.#ids = new Map(unreadable.map(({ revision, commitId }) => [revision, commitId]));
  }

  range(from: number, to: number, reason: string): void {
    for (let revision = from; revision <= to; revision++) this.add(revision, reason);
  }

  /** Those behind the last commit that can be read. */
  unreadableFrom(from: number): void {
    const last = Math.max(0, ...this.#ids.keys());
    this.range(from, last, UNREADABLE);
  }

  add(revision: number, reason: string, known?: string): void {
    const commitId = known ?? this.#ids.get(revision);
    this.all.push({ revision, ...(commitId === undefined ? {} : { commitId }), reason });
  }
}
