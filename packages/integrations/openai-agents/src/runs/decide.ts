import { type OperationInput, type Session, SessionError } from "@sessions/protocol";
import { equalJson } from "@sessions/protocol/integration";
import { invalid } from "@sessions/turn-runner";
import type { WaitingCall } from "./runs.js";
import {
  type DecidableCall,
  type Decision,
  storeWaitingRun,
  type WaitingRun,
  waitingRunOf,
} from "./waiting-run.js";

/** The operations of a decision about a call; none if the same was decided before. */
export function decide(
  session: Session | undefined,
  callId: string,
  decision: Decision,
  again: boolean,
): readonly OperationInput[] {
  const run = session === undefined ? undefined : waitingRunOf(session);
  if (session === undefined || run === undefined) throw nothingWaits();
  const call = run.calls.find((one) => one.callId === callId);
  if (call === undefined)
    throw invalid(
      "callId",
      `must be one of the calls that wait: ${run.calls.map((one) => one.callId).join(", ")}.`,
    );
  requireDecidable(session, call, decision, again);
  if (!isStarted(call) && isSame(call.decision, decision)) return [];
  const { callId: id, toolName, agentName, input } = call;
  const decided = { callId: id, toolName, agentName, input, decision };
  return [storeWaitingRun({ ...run, calls: run.calls.map((one) => (one === call ? decided : one)) })];
}

function requireDecidable(session: Session, call: DecidableCall, decision: Decision, again: boolean): void {
  if (isStarted(call)) {
    requireNotRunning(session);
    if (decision.approve && !again) throw mayHaveRun(call);
  } else if (call.decision !== undefined && !isSame(call.decision, decision)) {
    const was = call.decision.approve ? "approved" : "rejected";
    throw invalid("callId", `is a call that was ${was} already: "${call.callId}".`);
  }
}

const isStarted = ({ started }: DecidableCall): boolean => started === true;

const isSame = (one: Decision | undefined, other: Decision): boolean =>
  one !== undefined && one.approve === other.approve && equalJson(one.message, other.message);

/** A run whose process is alive decides for itself how it ends. */
export function requireNotRunning({ id, turn }: Session): void {
  if (turn?.status !== "running") return;
  const { turnId, expiresAt } = turn;
  const message = `A process runs the session "${id}" now. Wait until it has ended, or until its lease has expired.`;
  throw SessionError.of("TURN_BUSY", message, { sessionId: id, turnId, expiresAt });
}

/** The run that waits, if every call of it is decided and none may have run. */
export function requireDecided(session: Session): WaitingRun {
  const run = waitingRunOf(session);
  if (run === undefined) throw nothingWaits();
  const unknown = run.calls.find(isStarted);
  if (unknown !== undefined) throw mayHaveRun(unknown);
  const undecided = run.calls.filter(({ decision }) => decision === undefined);
  if (undecided.length > 0)
    throw invalid("calls", `must all be decided first: ${undecided.map(({ callId }) => callId).join(", ")}.`);
  return run;
}

export const nothingWaits = (): SessionError =>
  invalid("session", "has no run that waits for approvals: it never had one, or its run has ended.");

function mayHaveRun({ callId, toolName }: DecidableCall): SessionError {
  return invalid(
    "callId",
    `is a call that may have run: the process that ran "${toolName}" (${callId}) ended before its result was stored. Look at its effect, then approve it with \`again: true\`, or reject it.`,
  );
}

/** The calls with their status. `turn` is the session's. */
export function statusOfCalls({ calls }: WaitingRun, turn?: Session["turn"]): readonly WaitingCall[] {
  const isRunning = turn?.status === "running";
  return calls.map((call) => {
    const { callId, toolName, agentName, input } = call;
    return { callId, toolName, agentName, input, status: statusOf(call, isRunning) };
  });
}

function statusOf({ decision, started }: DecidableCall, isRunning: boolean): WaitingCall["status"] {
  if (decision === undefined) return "undecided";
  if (started === true) return isRunning ? "running" : "unknown";
  return decision.approve ? "approved" : "rejected";
}
