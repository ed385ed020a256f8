import type { SummaryRecord } from "../backend/session-backend.js";
import type { SessionRecord } from "../backend/session-record.js";
import type { ObservedLeases } from "../leases/observed-leases.js";
import type { Session, SessionSummary } from "../session/session.js";
import type { TurnInfo } from "../session/turn-info.js";
import { startRevisionOf } from "../state/turn-token.js";

/** A session as users see it. */
export function sessionView(record: SessionRecord, leases: ObservedLeases): Session {
  const { messages, revisions: _, ...summary } = record;
  return { ...summaryView(summary, leases), messages: [...messages] };
}

/** A summary as users see it: with derived fields, without internal ones. */
export function summaryView(record: SummaryRecord, leases: ObservedLeases): SessionSummary {
  const { turn: _turn, queue: _queue, partials: _partials, rewrittenAt: _rewrittenAt, ...rest } = record;
  const turn = turnView(record, leases);
  return turn === undefined ? rest : { ...rest, turn };
}

function turnView(record: SummaryRecord, leases: ObservedLeases): TurnInfo | undefined {
  const { turn, queue } = record;
  if (turn === undefined) return undefined;
  return {
    turnId: turn.turnId,
    ...(turn.owner === undefined ? {} : { owner: turn.owner }),
    startedAt: turn.startedAt,
    startRevision: startRevisionOf(turn.token),
    expiresAt: turn.expiresAt,
    status: leases.seemsOver(turn) ? "expired" : "running",
    interrupted: turn.interrupted === true,
    waiting: queue.filter((ticket) => !leases.seemsOver(ticket)).length,
  };
}
