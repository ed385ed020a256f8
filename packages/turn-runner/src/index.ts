// What authors of integrations use. The folders are the ideas: see the README.

export type { AgentConfig } from "./agent/agent-config.js";
export type * from "./agent/agent-event.js";
export type { Runner, RunnerTurn } from "./agent/runner.js";
export type { Warning } from "./agent/warning.js";
export { type Fields, fieldsAt, isFields, objectsAt, stringAt } from "./arguments/fields.js";
export { invalid } from "./arguments/invalid.js";
export { requireCount, requireFields, requireFunction, requireName } from "./arguments/require.js";
export { type CheckpointSettings, type CheckpointSource, Checkpoints } from "./draft/checkpoints.js";
export { stateOf, statePatch } from "./history/agent-state.js";
export { answerOpenCalls, type HistoryEntry } from "./history/answer-open-calls.js";
export { answerText } from "./history/answer-text.js";
export { type Compaction, compactContext } from "./history/compact-context.js";
export { KEPT_KEY } from "./history/kept-turn.js";
export { type HistoryRepair, REPAIR_WINDOW, repairHistory } from "./history/repair-history.js";
export { storedOutput } from "./history/tool-message.js";
export { isPrompt, markPrompt, turnIdOf } from "./history/turn-marks.js";
export { readBody } from "./read-body.js";
export { type CutOffTurn, cutOffTurn } from "./recovery/cut-off-turn.js";
export { recoverTurn, type TurnRecovery } from "./recovery/recover-turn.js";
export { EventReplay } from "./replay/event-replay.js";
export { SessionChanges, type SessionChangesOptions } from "./replay/session-changes.js";
export { messagesOfTurn, type TurnMessages, turnMessages } from "./replay/turn-messages.js";
export { interruption, isLost, lossSignal } from "./run/turn-loss.js";
export { type TurnResult, turnResult } from "./run/turn-result.js";
export { type Emit, type TurnEnd, TurnRunner, type TurnRunnerOptions } from "./run/turn-runner.js";
export { isTransient } from "./saving/is-transient.js";
export { type LeaseSettings, leaseRetryPolicy } from "./saving/lease-retry-policy.js";
export { type RetryPolicy, retry } from "./saving/retry.js";
export { sessionNotFound } from "./session-not-found.js";
export {
  type CheckpointIntervals,
  type CheckpointOptions,
  requireCheckpoint,
} from "./settings/checkpoint-options.js";
export {
  type ContextBudget,
  type ContextBudgetOptions,
  requireContextBudget,
} from "./settings/context-budget.js";
export { createIds } from "./settings/create-ids.js";
export { Deadline, type DeadlineOptions, withDeadline } from "./user-functions/deadline.js";
export { errorMessage, toolErrorOutput } from "./user-functions/error-message.js";
export { forwardAbort } from "./user-functions/forward-abort.js";
export { ignoreRejection } from "./user-functions/ignore-rejection.js";
export { notify } from "./user-functions/notify.js";
export { pause } from "./user-functions/pause.js";
export { raceAbort } from "./user-functions/race-abort.js";
export { type UserIterable, untilAborted } from "./user-functions/until-aborted.js";
