import { builtInModel } from "../built-in-model/built-in-model.js";
import type { Endpoint } from "../options.js";
import { chatTools } from "../tools/chat-tools.js";
import type { ChatModel } from "./chat-model.js";
import { hostedModel } from "./hosted-model.js";
import { INSTRUCTIONS } from "./instructions.js";

/** The name of the agent, by which its sessions are found. */
const AGENT = "chat";

/** What the choice depends on. */
export interface ModelOptions {
  readonly endpoint?: Endpoint;
  readonly delayMs: number;
  readonly now: () => Date;
}

/** The real model if one is configured, else the built-in one. */
export function chooseModel({ endpoint, delayMs, now }: ModelOptions): ChatModel {
  const tools = chatTools(now);
  const common = { name: AGENT, instructions: INSTRUCTIONS, tools: tools.map(({ name }) => name) };
  if (endpoint === undefined)
    return {
      description:
        "Model: a small built-in program, not a language model. Set OPENAI_API_KEY for a real one.",
      config: { ...common, model: "built-in" },
      runner: builtInModel({ tools, delayMs }),
    };
  return {
    description: `Model: ${endpoint.model} at ${new URL(endpoint.baseURL).host}.`,
    config: { ...common, model: endpoint.model },
    runner: hostedModel(endpoint, tools),
  };
}
