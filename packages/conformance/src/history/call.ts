import type { HistoryAction, HistoryEvent, HistoryResult, Invoked, Violation } from "./history-event.js";

/** A call with what became of it. */
export interface Call {
  readonly process: string;
  readonly session: string;
  readonly action: HistoryAction;
  readonly invokedAt: number;
  /** `Infinity` where nobody knows: it may still take effect. */
  readonly endedAt: number;
  readonly outcome: "ok" | "fail" | "unknown";
  readonly result: HistoryResult;
  /** Of a refusal. */
  readonly code?: string;
}

/** The calls of a log, by session, and where the log contradicts itself. */
export interface PairedLog {
  readonly sessions: ReadonlyMap<string, readonly Call[]>;
  readonly malformed: readonly Violation[];
}

type Answer = Exclude<HistoryEvent, Invoked>;

/** Brings every call together with its answer. */
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
  return { sessions: bySession(invoked, answers), malformed };
}

function bySession(
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
  // The answer never came: the commit may take effect at any time after.
  return { ...call, outcome: "unknown", endedAt: Number.POSITIVE_INFINITY };
}

function malformation(event: Invoked | undefined, detail: string): Violation {
  return { kind: "malformed", session: event?.session ?? "", detail };
}

/** An acknowledged change, with the revision that it made. */
export interface AcceptedCommit extends Call {
  readonly revision: number;
}

/** Acknowledged changes, in the order of their revisions. Answers of "done before" are not among them. */
export function acceptedCommits(calls: readonly Call[]): readonly AcceptedCommit[] {
  const accepted: AcceptedCommit[] = [];
  for (const call of calls) {
    const revision = revisionOf(call);
    if (call.action.kind === "read" || call.result.duplicate === true || revision === undefined) continue;
    accepted.push({ ...call, revision });
  }
  return accepted.sort((a, b) => a.revision - b.revision);
}

/** The revision that a call was told; that of a begun turn is in its token. */
export function revisionOf(call: Call): number | undefined {
  if (call.outcome !== "ok") return undefined;
  if (call.result.revision !== undefined) return call.result.revision;
  return call.result.token === undefined ? undefined : Number.parseInt(call.result.token, 10);
}

/** The messages that a call adds. */
export function sentIds(action: HistoryAction): readonly string[] {
  return action.kind === "append" || action.kind === "insert" || action.kind === "end-turn"
    ? (action.ids ?? [])
    : [];
}

/** The turn token that a call was fenced with. */
export function fenceOf(action: HistoryAction): string | undefined {
  return "fence" in action ? action.fence : undefined;
}

/** Names a call for a reader of the report. */
export function nameOf(call: Call): string {
  return `${call.action.kind} by ${call.process}`;
}
