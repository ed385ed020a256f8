export { type OpenAIAgentsRunnerOptions, openaiAgentsRunner } from "./runner/openai-agents-runner.js";
export { openaiSession } from "./session/openai-session.js";
export type { OpenAISession, OpenAISessionOptions } from "./session/session.js";
