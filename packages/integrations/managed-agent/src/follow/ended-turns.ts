import { type OperationInput, type Session, set, type Turn, type TurnOutcome } from "@sessions/protocol";
import { isFields } from "@sessions/turn-runner";

/** How the last turns of a session ended, the newest last. Each turn writes it in the commit that ends it. */
export const ENDED_KEY = "agent.ended";

/** A follower that is more turns late gets "unknown". */
const MAX_ENDED_TURNS = 8;

interface EndedTurn {
  readonly turnId: string;
  /** The revision at which the attempt began: a turn may be attempted again. */
  readonly startRevision: number;
  readonly outcome: TurnOutcome;
}

/** Records how an attempt ends. `session` is the session as it was when the attempt began. */
export function recordEnd(session: Session, { turnId }: Turn, outcome: TurnOutcome): OperationInput {
  const startRevision = session.turn?.startRevision ?? 0;
  const ended = [...endedIn(session), { turnId, startRevision, outcome }].slice(-MAX_ENDED_TURNS);
  return set({ metadata: { [ENDED_KEY]: ended } });
}

/** How this attempt ended; `undefined` if that is not recorded. */
export function recordedEnd(
  session: Session,
  { turnId, startRevision }: Pick<EndedTurn, "turnId" | "startRevision">,
): TurnOutcome | undefined {
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
  return isFields(value) && typeof value["turnId"] === "string" && typeof value["outcome"] === "string";
}
