import { type OperationInput, type Session, set, type Turn, type TurnOutcome } from "@sessions/protocol";
import { isRecord } from "../argument.js";

/** How the last turns of a session ended, the newest last. Written by who holds the turn, in the commit that ends it. */
export const ENDED_KEY = "agent.ended";

/** A follower that is later than this is not told how its turn ended. */
const MAX_ENDED_TURNS = 8;

interface EndedTurn {
  readonly turnId: string;
  /** The revision that the attempt began with: a turn may be tried again. */
  readonly startRevision: number;
  readonly outcome: TurnOutcome;
}

/** Records how an attempt at a turn ends, with `session` as it was when it began. */
export function recordEnd(session: Session, { turnId }: Turn, outcome: TurnOutcome): OperationInput {
  const startRevision = session.turn?.startRevision ?? 0;
  const ended = [...endedIn(session), { turnId, startRevision, outcome }].slice(-MAX_ENDED_TURNS);
  return set({ metadata: { [ENDED_KEY]: ended } });
}

/** How this attempt at a turn ended; `undefined` if that is not recorded. */
export function recordedEnd(
  session: Session,
  attempt: Pick<EndedTurn, "turnId" | "startRevision">,
): TurnOutcome | undefined {
  const { turnId, startRevision } = attempt;
  return endedIn(session).find((one) => one.turnId === turnId && one.startRevision === startRevision)
    ?.outcome;
}

/** Whether a later attempt at the same turn has ended. */
export function hasLaterEnd(
  session: Session,
  { turnId, startRevision }: Pick<EndedTurn, "turnId" | "startRevision">,
): boolean {
  return endedIn(session).some((one) => one.turnId === turnId && one.startRevision > startRevision);
}

function endedIn(session: Session): readonly EndedTurn[] {
  const stored = session.metadata[ENDED_KEY];
  return Array.isArray(stored) ? stored.filter(isEndedTurn) : [];
}

function isEndedTurn(value: unknown): value is EndedTurn {
  return isRecord(value) && typeof value["turnId"] === "string" && typeof value["outcome"] === "string";
}
