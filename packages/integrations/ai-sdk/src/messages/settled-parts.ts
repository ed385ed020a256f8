import type { UIMessage } from "ai";
import { isUIPart, type UIPart } from "./ui-part.js";

const NO_RESULT = "The answer was interrupted before this tool answered.";

/**
 * A message that will not continue: streaming text is done, and a call without a result has failed. Providers refuse a history with a
 * call that has no result.
 */
export function settledParts(message: UIMessage): UIMessage {
  return { ...message, parts: message.parts.map(settled) };
}

function settled(part: UIPart): UIPart {
  if (part.type === "text" || part.type === "reasoning") return { ...part, state: "done" };
  if (!("toolCallId" in part) || part.providerExecuted === true) return part;
  if (part.state !== "input-streaming" && part.state !== "input-available") return part;
  const { inputEncoding: _, ...call }: { inputEncoding?: unknown } & typeof part = part;
  const failed: unknown = { ...call, state: "output-error", input: part.input ?? {}, errorText: NO_RESULT };
  return isUIPart(failed) ? failed : part;
}
