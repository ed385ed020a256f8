import { type Call, fenceOf, revisionOf } from "./call.js";
import type { Violation } from "./history-event.js";

/** One turn at a time: a newer one begins when the older has ended or expired, and then nothing of the older counts. */
export function checkTurns(session: string, calls: readonly Call[]): Violation[] {
  const holds = holdsOf(calls);
  const endings = calls.filter(endsTurns);
  const violations = holds.flatMap((hold, index) => {
    const next = holds[index + 1];
    return next === undefined
      ? []
      : [...wroteLate(session, hold, next), ...beganEarly(session, hold, next, endings)];
  });
  return [...violations, ...ranTwice(session, holds)];
}

/** A turn that has begun, and what its holder was still allowed to do. */
interface Hold {
  readonly turnId: string;
  readonly begin: Call;
  readonly began: number;
  readonly ttlMs: number;
  /** The last revision that was accepted under its token. */
  readonly last: number;
  readonly ended: boolean;
  /** Nobody knows whether it was ended. */
  readonly mayHaveEndedAt: number;
  readonly completed: boolean;
}

/** In the order in which they began. */
function holdsOf(calls: readonly Call[]): readonly Hold[] {
  const fenced = new Map<string, Call[]>();
  for (const call of calls) {
    const token = fenceOf(call.action);
    if (token === undefined) continue;
    const list = fenced.get(token);
    if (list === undefined) fenced.set(token, [call]);
    else list.push(call);
  }
  const holds = calls.flatMap((call) => holdOf(call, fenced));
  return holds.sort((a, b) => a.began - b.began);
}

function holdOf(begin: Call, fenced: ReadonlyMap<string, readonly Call[]>): Hold[] {
  const { action, result } = begin;
  const began = revisionOf(begin);
  if (action.kind !== "begin-turn" || result.token === undefined || began === undefined) return [];
  const writes = fenced.get(result.token) ?? [];
  const revisions = writes.flatMap((call) =>
    call.result.duplicate === true ? [] : (revisionOf(call) ?? []),
  );
  const ends = writes.filter((call) => call.action.kind === "end-turn");
  const accepted = ends.filter((call) => call.outcome === "ok");
  return [
    {
      turnId: action.turnId,
      begin,
      began,
      ttlMs: action.ttlMs,
      last: revisions.reduce((last, revision) => Math.max(last, revision), began),
      ended: accepted.length > 0,
      mayHaveEndedAt: Math.min(
        ...ends.filter((call) => call.outcome === "unknown").map((call) => call.invokedAt),
      ),
      completed: accepted.some((call) => call.action.kind === "end-turn" && call.action.completes),
    },
  ];
}

function wroteLate(session: string, hold: Hold, next: Hold): Violation[] {
  if (hold.last <= next.began) return [];
  const detail = `turn "${hold.turnId}" wrote revision ${hold.last} after turn "${next.turnId}" began at ${next.began}`;
  return [{ kind: "fence", session, detail }];
}

function beganEarly(session: string, hold: Hold, next: Hold, endings: readonly Call[]): Violation[] {
  const begunBy = next.begin.endedAt;
  if (hold.ended || hold.mayHaveEndedAt <= begunBy) return [];
  // A lease lasts at least its time to live, counted from before it was asked for, whatever anybody's wall clock says.
  if (begunBy >= hold.begin.invokedAt + hold.ttlMs * 1000) return [];
  if (endings.some((call) => call.invokedAt <= begunBy && call.endedAt >= hold.begin.invokedAt)) return [];
  const detail = `turn "${next.turnId}" of ${next.begin.process} began while ${hold.begin.process} held "${hold.turnId}"`;
  return [{ kind: "two-turns", session, detail }];
}

/** Whether a call may end a turn of somebody else's. */
function endsTurns({ action, outcome }: Call): boolean {
  return (
    outcome !== "fail" &&
    (action.kind === "interrupt-turn" || (action.kind === "remove" && action.ids === "all"))
  );
}

function ranTwice(session: string, holds: readonly Hold[]): Violation[] {
  const completed = new Set<string>();
  return holds.flatMap((hold) => {
    if (!hold.completed) return [];
    if (!completed.has(hold.turnId)) {
      completed.add(hold.turnId);
      return [];
    }
    return [{ kind: "doubled" as const, session, detail: `turn "${hold.turnId}" was completed twice` }];
  });
}
