import { type OperationInput, resultsAfterCalls, type Session, type Turn } from "@sessions/protocol";
import { leaseRetryPolicy, type RunnerTurn, repairHistory, stateOf } from "@sessions/turn-runner";
import { configChange, configOf } from "../agent-record.js";
import type { Settings } from "../settings.js";
import { modelContext } from "./model-context.js";
import type { TurnRequest } from "./turn-request.js";

/** Prepares the runner's input: a repaired history, as much of it as fits, and the config of the session. */
export async function prepareTurn(
  settings: Settings,
  request: TurnRequest,
  turn: Turn,
  session: Session,
  signal: AbortSignal,
): Promise<RunnerTurn> {
  const { store } = settings;
  const { sessionId, turnId, prompt, config } = request;
  const policy = leaseRetryPolicy(settings, signal);
  const firstConfig = (current: Session): readonly OperationInput[] =>
    configOf(current) === undefined ? [configChange(config, 1)] : [];
  await repairHistory({ store, turn, session, prompt, policy, also: firstConfig });
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
