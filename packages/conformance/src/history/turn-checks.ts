import { type Call, fenceOf, revisionOf } from "./call.js";
import type { Violation } from "./history-event.js";

/** One turn runs at a time: the next begins when the one before has ended or expired, and then refuses its writes. */
export function checkTurns(session: string, calls: readonly Call[]): Violation[] {
  const turns = heldTurnsOf(calls);
  const endings = calls.filter(endsTurns);
  const violations = turns.flatMap((turn, index) => {
    const next = turns[index + 1];
    return next === undefined
      ? []
      : [...wroteLate(session, turn, next), ...beganEarly(session, turn, next, endings)];
  });
  return [...violations, ...ranTwice(session, turns)];
}

/** A turn that has begun, and what is known of its writes and its end. */
interface HeldTurn {
  readonly turnId: string;
  readonly begin: Call;
  readonly began: number;
  readonly ttlMs: number;
  /** The last revision that was committed with its token. */
  readonly last: number;
  readonly ended: boolean;
  /** When an end of unknown outcome was called; `Infinity` if there is none. */
  readonly mayHaveEndedAt: number;
  readonly completed: boolean;
}

/** The begun turns, in order. */
function heldTurnsOf(calls: readonly Call[]): readonly HeldTurn[] {
  const fenced = new Map<string, Call[]>();
  for (const call of calls) {
    const token = fenceOf(call.action);
    if (token === undefined) continue;
    const list = fenced.get(token);
    if (list === undefined) fenced.set(token, [call]);
    else list.push(call);
  }
  const turns = calls.flatMap((call) => heldTurnOf(call, fenced));
  return turns.sort((a, b) => a.began - b.began);
}

function heldTurnOf(begin: Call, fenced: ReadonlyMap<string, readonly Call[]>): HeldTurn[] {
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

function wroteLate(session: string, turn: HeldTurn, next: HeldTurn): Violation[] {
  if (turn.last <= next.began) return [];
  const detail = `turn "${turn.turnId}" wrote revision ${turn.last} after turn "${next.turnId}" began at ${next.began}`;
  return [{ kind: "fence", session, detail }];
}

function beganEarly(session: string, turn: HeldTurn, next: HeldTurn, endings: readonly Call[]): Violation[] {
  const begunBy = next.begin.endedAt;
  if (turn.ended || turn.mayHaveEndedAt <= begunBy) return [];
  // A lease lasts at least `ttlMs` from before the call that began it, whatever any wall clock says.
  if (begunBy >= turn.begin.invokedAt + turn.ttlMs * 1000) return [];
  if (endings.some((call) => call.invokedAt <= begunBy && call.endedAt >= turn.begin.invokedAt)) return [];
  const detail = `turn "${next.turnId}" of ${next.begin.process} began while ${turn.begin.process} held "${turn.turnId}"`;
  return [{ kind: "two-turns", session, detail }];
}

/** Whether a call may end the turn of another caller. */
function endsTurns({ action, outcome }: Call): boolean {
  return (
    outcome !== "fail" &&
    (action.kind === "interrupt-turn" || (action.kind === "remove" && action.ids === "all"))
  );
}

function ranTwice(session: string, turns: readonly HeldTurn[]): Violation[] {
  const completed = new Set<string>();
  return turns.flatMap((turn) => {
    if (!turn.completed) return [];
    if (!completed.has(turn.turnId)) {
      completed.add(turn.turnId);
      return [];
    }
    return [{ kind: "doubled" as const, session, detail: `turn "${turn.turnId}" was completed twice` }];
  });
}
