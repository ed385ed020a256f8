export type { AgentConfig } from "./agent-config.js";
export type * from "./agent-event.js";
export { createManagedAgent } from "./create-managed-agent.js";
export type { FollowEvent, TurnBegan, TurnEnded } from "./follow-event.js";
export { followTurn } from "./follow-turn.js";
export type { AgentStream, ManagedAgent, Prompt, Resumed, TurnOptions } from "./managed-agent.js";
export type {
  AgentContextOptions,
  CheckpointOptions,
  ComputeHooks,
  ManagedAgentOptions,
  QueueOptions,
  Warning,
} from "./options.js";
export type { CutOffTurn, RecoverOptions, Recovery } from "./recovery.js";
export type { Runner, RunnerTurn } from "./runner.js";
export type { TurnResult } from "./turn-result.js";
