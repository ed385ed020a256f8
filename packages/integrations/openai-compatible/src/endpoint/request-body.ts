import type { JsonObject } from "@sessions/protocol";
import type { ChatMessage } from "../messages/chat-message.js";
import { optionalField } from "../optional-field.js";
import type { Tool } from "../tools/tool.js";

/** The fields of a request besides the messages: the same in all requests of a turn. */
export interface RequestTemplate {
  readonly model: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly extra: JsonObject;
}

/** The body of a request. The user's extra fields cannot override those that the runner depends on. */
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
    ...optionalField("stream_options", includeUsage ? { include_usage: true } : undefined),
    ...optionalField("tools", tools.size > 0 ? [...tools].map(offer) : undefined),
  });
}

function offer([name, { description, parameters }]: readonly [string, Tool]): object {
  const schema = parameters ?? { type: "object", properties: {} };
  return {
    type: "function",
    function: { name, ...optionalField("description", description), parameters: schema },
  };
}
