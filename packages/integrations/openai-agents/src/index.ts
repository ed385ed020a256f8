export { type OpenAIAgentsRunnerOptions, openaiAgentsRunner } from "./openai-agents-runner.js";
export { openaiSession } from "./openai-session.js";
export type { OpenAISession, OpenAISessionOptions } from "./session.js";
