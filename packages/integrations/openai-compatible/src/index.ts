export { EndpointError, type EndpointErrorCode, type EndpointErrorFields } from "./endpoint-error.js";
export { openaiCompatibleRunner } from "./openai-compatible-runner.js";
export type { OpenAICompatibleOptions } from "./options.js";
export type { Tool, ToolContext } from "./tools/tool.js";
