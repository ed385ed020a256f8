import type { UIMessage } from "ai";
import { isFields } from "../pick-fields.js";

const NO_ANSWER = "The answer was interrupted before this tool answered.";

/**
 * A message that will not go on: text that was being written is done, and a call that nobody will answer any more has
 * failed. A provider refuses a history with a call that has no result.
 */
export function settledParts(message: UIMessage): UIMessage {
  return { ...message, parts: message.parts.map(settled) };
}

type Part = UIMessage["parts"][number];

function settled(part: Part): Part {
  if (part.type === "text" || part.type === "reasoning") return { ...part, state: "done" };
  if (!("toolCallId" in part) || part.providerExecuted === true) return part;
  if (part.state !== "input-streaming" && part.state !== "input-available") return part;
  const { inputEncoding: _, ...call }: { inputEncoding?: unknown } & typeof part = part;
  const failed: unknown = { ...call, state: "output-error", input: part.input ?? {}, errorText: NO_ANSWER };
  return isPart(failed) ? failed : part;
}

function isPart(value: unknown): value is Part {
  return isFields(value) && typeof value["type"] === "string";
}
