import { resultsAfterCalls, type Session, type Turn } from "@sessions/protocol";
import type { RunnerTurn } from "../runner.js";
import { configOf, stateOf } from "../session/agent-record.js";
import type { Settings } from "../settings.js";
import { modelContext } from "./model-context.js";
import { tidyHistory } from "./tidy-history.js";
import type { TurnRequest } from "./turn-request.js";

/** What the runner is given: a history in order, as much of it as fits, and the config that the session has. */
export async function preparedTurn(
  settings: Settings,
  request: TurnRequest,
  turn: Turn,
  session: Session,
  signal: AbortSignal,
): Promise<RunnerTurn> {
  const { store, newId, clock, ttlMs } = settings;
  const { sessionId, turnId, prompt, config } = request;
  const patience = { clock, newId, deadlineMs: ttlMs / 2, isOver: () => signal.aborted, signal };
  await tidyHistory(store, turn, session, { turnId, prompt, config, newId }, patience);
  const { messages, tokens, omitted } = await modelContext(settings, turn, session, signal);
  return {
    sessionId,
    turnId,
    messages: resultsAfterCalls(messages),
    context: { tokens, omitted },
    signal,
    config: configOf(session) ?? config,
    state: stateOf(session),
  };
}
