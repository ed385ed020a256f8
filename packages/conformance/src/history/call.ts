import type { HistoryAction, HistoryEvent, HistoryResult, Invoked, Violation } from "./history-event.js";

/** A call and its outcome. */
export interface Call {
  readonly process: string;
  readonly session: string;
  readonly action: HistoryAction;
  readonly invokedAt: number;
  /** `Infinity` if the outcome is unknown: the call may take effect at any later time. */
  readonly endedAt: number;
  readonly outcome: "ok" | "fail" | "unknown";
  readonly result: HistoryResult;
  /** The error code, if the outcome is `fail`. */
  readonly code?: string;
}

/** The calls of a log by session, and the log's own contradictions. */
export interface PairedLog {
  readonly sessions: ReadonlyMap<string, readonly Call[]>;
  readonly malformed: readonly Violation[];
}

type Answer = Exclude<HistoryEvent, Invoked>;

/** Pairs every call with its answer. */
export function pairCalls(log: readonly HistoryEvent[]): PairedLog {
  const invoked = new Map<string, Invoked>();
  const answers = new Map<string, Answer>();
  const malformed: Violation[] = [];
  for (const event of log) {
    const name = `${event.process}#${event.call}`;
    const seen: Map<string, HistoryEvent> = event.type === "invoke" ? invoked : answers;
    if (seen.has(name))
      malformed.push(malformation(invoked.get(name), `call ${name} has two events "${event.type}"`));
    else if (event.type === "invoke") invoked.set(name, event);
    else answers.set(name, event);
  }
  for (const name of answers.keys()) {
    if (!invoked.has(name))
      malformed.push(malformation(undefined, `call ${name} has an answer and was never made`));
  }
  return { sessions: groupBySession(invoked, answers), malformed };
}

function groupBySession(
  invoked: ReadonlyMap<string, Invoked>,
  answers: ReadonlyMap<string, Answer>,
): ReadonlyMap<string, readonly Call[]> {
  const sessions = new Map<string, Call[]>();
  for (const [name, event] of invoked) {
    const call = callOf(event, answers.get(name));
    const calls = sessions.get(event.session);
    if (calls === undefined) sessions.set(event.session, [call]);
    else calls.push(call);
  }
  return sessions;
}

function callOf(event: Invoked, answer: Answer | undefined): Call {
  const { process, session, action, at: invokedAt } = event;
  const call = {
    process,
    session,
    action,
    invokedAt,
    endedAt: answer?.at ?? Number.POSITIVE_INFINITY,
    result: {},
  };
  if (answer?.type === "ok") return { ...call, outcome: "ok", result: answer.result };
  if (answer?.type === "fail") return { ...call, outcome: "fail", code: answer.code };
  // Without an answer, the commit may take effect at any later time.
  return { ...call, outcome: "unknown", endedAt: Number.POSITIVE_INFINITY };
}

function malformation(event: Invoked | undefined, detail: string): Violation {
  return { kind: "malformed", session: event?.session ?? "", detail };
}

/** An acknowledged commit and its revision. */
export interface AcceptedCommit extends Call {
  readonly revision: number;
}

/** Acknowledged commits in the order of their revisions, without duplicates. */
export function acceptedCommits(calls: readonly Call[]): readonly AcceptedCommit[] {
  const accepted: AcceptedCommit[] = [];
  for (const call of calls) {
    const revision = revisionOf(call);
    if (call.action.kind === "read" || call.result.duplicate === true || revision === undefined) continue;
    accepted.push({ ...call, revision });
  }
  return accepted.sort((a, b) => a.revision - b.revision);
}

/** The revision that a call returned. That of a begun turn is in its token. */
export function revisionOf(call: Call): number | undefined {
  if (call.outcome !== "ok") return undefined;
  if (call.result.revision !== undefined) return call.result.revision;
  return call.result.token === undefined ? undefined : Number.parseInt(call.result.token, 10);
}

/** The ids of the messages that a call adds. */
export function sentIds(action: HistoryAction): readonly string[] {
  return action.kind === "append" || action.kind === "insert" || action.kind === "end-turn"
    ? (action.ids ?? [])
    : [];
}

/** The turn token that a call carries. */
export function fenceOf(action: HistoryAction): string | undefined {
  return "fence" in action ? action.fence : undefined;
}

/** Describes a call in a violation. */
export function describeCall(call: Call): string {
  return `${call.action.kind} by ${call.process}`;
}
