import { Damage, type Finding, stateAt, type Verification } from "@sessions/protocol/backend";
import { memoryChangesOf, Runs } from "@sessions/row-engine";
import type { Deadline } from "./deadline.js";
import type { Moment } from "./moment.js";
import type { RedisContext } from "./redis-context.js";

/** Reads everything of a session from the server and checks it. */
export async function verifySession(
  { sessions, cache, location }: RedisContext,
  sessionId: string,
  deadline: Deadline,
): Promise<Verification | undefined> {
  cache.forget(sessionId);
  const findings: Finding[] = [];
  const check = (moment: Moment): Verification | undefined => {
    const state = stateAt(moment.state, moment.now);
    if (state?.status !== "live") return undefined;
    for (const memory of [state.commits.given, state.finishedTurns])
      memoryChangesOf(memory).source?.entries();
    checkRows(moment);
    const { revision, history } = state;
    return { sessionId, ok: true, revision, messages: history.messages.length, findings };
  };
  try {
    return await sessions.with(sessionId, { givenCommits: true, finishedTurns: true }, deadline, check);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    findings.push({ severity: "harmful", detail: error.message, location: `${location}, ${error.location}` });
    return { sessionId, ok: false, revision: 0, messages: 0, findings };
  }
}

/** Reads every row that the session or a snapshot of it holds. */
function checkRows({ present, runs, version }: Moment): void {
  if (present === undefined) return;
  const { table, parts } = present.content;
  for (const held of [runs, ...parts.snapshots.map((snapshot) => Runs.fromJson(snapshot.runs))])
    table.all(held, version);
}
