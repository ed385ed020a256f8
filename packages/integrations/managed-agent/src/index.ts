export type {
  AgentConfig,
  AgentEvent,
  CheckpointOptions,
  ContextBudgetOptions,
  CutOffTurn,
  Runner,
  RunnerTurn,
  TurnResult,
  Usage,
  Warning,
} from "@sessions/turn-runner";
export { createManagedAgent } from "./create-managed-agent.js";
export type { FollowEvent, TurnBegan, TurnEnded } from "./follow/follow-event.js";
export { followTurn } from "./follow/follow-turn.js";
export type { AgentStream, ManagedAgent, Prompt, Resumed, TurnOptions } from "./managed-agent.js";
export type { ComputeHooks, ManagedAgentOptions, QueueOptions } from "./options.js";
export type { RecoverOptions, Recovery } from "./recovery.js";
