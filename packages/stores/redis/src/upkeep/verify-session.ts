import { Damage, type Finding, SessionError, stateAt, type Verification } from "@sessions/protocol/backend";
import { memoryChangesOf, storedRunsOf } from "@sessions/row-engine";
import type { Deadline } from "../engine/deadline.js";
import type { RedisContext } from "../redis-context.js";
import { loadEntry } from "../session/session-entry.js";
import type { ReadSession } from "../session/sessions.js";

/** Reads everything of a session from the server and checks it. */
export async function verifySession(
  { sessions, cache, location }: Pick<RedisContext, "sessions" | "cache" | "location">,
  sessionId: string,
  deadline: Deadline,
): Promise<Verification | undefined> {
  cache.forgetWithRows(sessionId);
  try {
    return await sessions.read(sessionId, { allCommits: true, allTurns: true }, deadline, verified);
  } catch (error) {
    const damage = damageIn(error);
    if (damage === undefined) throw error;
    const finding: Finding = {
      severity: "harmful",
      detail: damage.message,
      location: `${location}, ${damage.location}`,
    };
    return { sessionId, ok: false, revision: 0, messages: 0, findings: [finding] };
  }
}

function verified({ entry, rows }: ReadSession): Verification | undefined {
  const state = stateAt(loadEntry(entry, rows)?.state, entry.now);
  if (state?.status !== "live") return undefined;
  for (const memory of [state.commits.given, state.finishedTurns]) memoryChangesOf(memory).source?.entries();
  for (const { history } of [state, ...state.snapshots]) rows.messages(storedRunsOf(history));
  const { revision, history } = state;
  return { sessionId: entry.id, ok: true, revision, messages: history.messages.length, findings: [] };
}

function damageIn(error: unknown): Damage | undefined {
  if (error instanceof Damage) return error;
  return SessionError.is(error, "SESSION_CORRUPTED") && error.cause instanceof Damage
    ? error.cause
    : undefined;
}
