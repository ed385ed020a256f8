export { type OpenAIAgentsRunnerOptions, openaiAgentsRunner } from "./runner/openai-agents-runner.js";
export { openaiRuns } from "./runs/openai-runs.js";
export type { OpenAIRuns, OpenAIRunsOptions, RunOptions, StoredRun, WaitingCall } from "./runs/runs.js";
export { openaiSession } from "./session/openai-session.js";
export type { OpenAISession, OpenAISessionOptions } from "./session/session.js";
