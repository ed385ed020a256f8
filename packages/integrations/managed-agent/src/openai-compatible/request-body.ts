import type { JsonObject } from "@sessions/protocol";
import type { ChatMessage } from "./chat-message.js";
import { field } from "./json-fields.js";
import type { Tool } from "./tool.js";

/** What is asked for, besides the messages: the same for all requests of a turn. */
export interface RequestTemplate {
  readonly model: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly extra: JsonObject;
}

/** A request as it is sent. What the caller adds goes under what the runner depends on. */
export function requestBody(
  { model, tools, extra }: RequestTemplate,
  messages: readonly ChatMessage[],
  includeUsage: boolean,
): string {
  return JSON.stringify({
    ...extra,
    model,
    messages,
    stream: true,
    ...field("stream_options", includeUsage ? { include_usage: true } : undefined),
    ...field("tools", tools.size > 0 ? [...tools].map(offer) : undefined),
  });
}

function offer([name, { description, parameters }]: readonly [string, Tool]): object {
  const schema = parameters ?? { type: "object", properties: {} };
  return { type: "function", function: { name, ...field("description", description), parameters: schema } };
}
