import type { EndpointErrorCode } from "../endpoint-error.js";
import type { Settings } from "../settings.js";
import type { ProviderError } from "./provider-error.js";

/** An error response, and what the advice depends on. */
export interface Refusal extends ProviderError {
  readonly model: string;
  readonly retryAfterMs: number | undefined;
}

/** What the user can do about an error. */
export function adviceOn(code: EndpointErrorCode, settings: Settings, refusal: Refusal): string {
  switch (code) {
    case "UNAUTHORIZED":
      return settings.hasKey
        ? `Check \`apiKey\`, and that it may use the model "${refusal.model}".`
        : "No `apiKey` was given: give one.";
    case "NOT_FOUND":
      return `Check the model "${refusal.model}", and \`baseURL\`: it usually ends in /v1.`;
    case "RATE_LIMITED":
      return `Try again ${laterOf(refusal)}, send less at a time, or have the limit raised.`;
    case "QUOTA_EXCEEDED":
      return "The account has no credit left: add some.";
    case "REQUEST_REFUSED":
      return onRequest(refusal);
    default:
      return `Try again ${laterOf(refusal)}.`;
  }
}

function laterOf({ retryAfterMs }: Refusal): string {
  return retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
}

function onRequest({ providerCode, message = "" }: Refusal): string {
  if (providerCode === "context_length_exceeded")
    return "The conversation is too long for the model: lower the agent's `context.maxTokens`.";
  if (/stream_options|include_usage/.test(message))
    return "It does not know `stream_options`: set `includeUsage: false`.";
  return "Change what it names: messages come from the session, tools and `body` from the runner's options.";
}
