import {
  type Agent,
  type AgentInputItem,
  type AgentOutputType,
  type Runner as AgentsRunner,
  MemorySession,
  RunState,
} from "@openai/agents";
import type { OperationInput, Session, Turn } from "@sessions/protocol";
import { combinedTurnError } from "@sessions/protocol/integration";
import {
  answerText,
  isLost,
  type LeaseSettings,
  leaseRetryPolicy,
  lossSignal,
  type RetryPolicy,
  raceAbort,
  retry,
  turnIdOf,
} from "@sessions/turn-runner";
import { changeItems, storedItems } from "./run-items.js";
import { type SerializableState, storeWaitingRun, type WaitingRun, waitingRun } from "./waiting-run.js";

/** What every run of a `StoredRuns` needs. */
export interface PlaySettings<TContext> extends LeaseSettings {
  readonly runner: AgentsRunner;
  readonly context: TContext | undefined;
  readonly maxTurns: number | undefined;
}

/** A run whose turn has begun. */
export interface Play<TContext, TOutput extends AgentOutputType> {
  readonly turn: Turn;
  /** The session with all messages. */
  readonly session: Session;
  readonly agent: Agent<TContext, TOutput>;
  /** What the SDK is given: input, or the state of a run that has stopped. */
  readonly start: string | AgentInputItem[] | RunState<TContext, Agent<TContext, TOutput>>;
  /** The run that had stopped, as it is stored. */
  readonly waits?: WaitingRun | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What is used of the SDK's result, whatever the types of the agent. */
interface AgentResult {
  readonly interruptions: readonly unknown[];
  readonly state: SerializableState;
  readonly finalOutput?: unknown;
}

/** How a run has ended. */
interface Played {
  readonly finalOutput: unknown;
  /** The text of the last answer. */
  readonly text: string;
  /** The run, if it has stopped for approvals. */
  readonly stopped: WaitingRun | undefined;
}

/** Retries while the turn holds its session. */
export const turnRetryPolicy = (turn: Turn, settings: LeaseSettings): RetryPolicy =>
  leaseRetryPolicy(settings, lossSignal(turn));

/** Runs the agent until it has answered or stops for approvals, and stores all of that in the commit that ends the turn. */
export async function playRun<TContext, TOutput extends AgentOutputType>(
  settings: PlaySettings<TContext>,
  play: Play<TContext, TOutput>,
): Promise<Played> {
  const { turn, session, waits } = play;
  const policy = turnRetryPolicy(turn, settings);
  const stop = AbortSignal.any([turn.signal, ...(play.signal === undefined ? [] : [play.signal])]);
  // The SDK writes while it runs. What it has written goes to the store with the end of the turn.
  const before = storedItems(session.messages);
  const memory = new MemorySession({ sessionId: session.id, initialItems: before.map(({ item }) => item) });
  const changes = async (): Promise<readonly OperationInput[]> =>
    changeItems(turn.turnId, before, await memory.getItems());
  try {
    // The SDK waits for a tool that does not end, also after the signal.
    const result = await raceAbort(stop, () => runAgent(settings, play, memory, stop));
    const stopped = result.interruptions.length > 0 ? waitingRun(turn.turnId, result.state) : undefined;
    const isChanged = waits !== undefined || stopped !== undefined;
    const ops = [...(await changes()), ...(isChanged ? [storeWaitingRun(stopped)] : [])];
    const { messages } = await retry(policy, (options) => turn.complete(ops, options));
    const own = messages.filter((message) => turnIdOf(message) === turn.turnId);
    // The SDK warns where the final output of a run that has stopped is read.
    const finalOutput = stopped === undefined ? result.finalOutput : undefined;
    return { finalOutput, text: answerText(own), stopped };
  } catch (error) {
    const [cause, outcome] = stop.aborted
      ? [stop.reason, "interrupted" as const]
      : [error, "failed" as const];
    if (isLost(turn.signal)) throw cause;
    try {
      const ops = await failedChanges(play, changes);
      await retry(policy, (options) => turn.fail(cause, ops, { ...options, outcome }));
    } catch (unended) {
      throw combinedTurnError(cause, unended);
    }
    throw cause;
  }
}

function runAgent<TContext, TOutput extends AgentOutputType>(
  { runner, context, maxTurns }: PlaySettings<TContext>,
  { agent, start }: Play<TContext, TOutput>,
  session: MemorySession,
  signal: AbortSignal,
): Promise<AgentResult> {
  return runner.run(agent, start, {
    session,
    signal,
    ...(context === undefined ? {} : { context }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
  });
}

/**
 * What a failed run leaves. One that had stopped before goes on from where it failed: a tool that has run is not run again because the
 * model could not be asked afterwards. A new one leaves nothing, and may be run again.
 */
async function failedChanges<TContext, TOutput extends AgentOutputType>(
  { turn, start, waits }: Play<TContext, TOutput>,
  changes: () => Promise<readonly OperationInput[]>,
): Promise<readonly OperationInput[]> {
  if (waits === undefined || !(start instanceof RunState)) return [];
  return [...(await changes()), storeWaitingRun(waitingRun(turn.turnId, start, waits.calls))];
}
