import { append, type ExtendInput, extend, type MessageInput, type OperationInput } from "@sessions/protocol";
import { isRecord } from "../argument.js";

/** Text is not cut into smaller pieces than this. */
const LEAST_CHARS = 1024;

/**
 * Smaller operations that come to the same, one after the other, so that a beginning of them can be stored where the
 * whole is too large. `undefined` for what cannot be divided.
 */
export function smallerOperations(op: OperationInput): readonly OperationInput[] | undefined {
  if (op.op === "extend") return smallerExtensions(op);
  const [message, ...others] = op.op === "append" ? op.messages : [];
  return message === undefined || others.length > 0 ? undefined : smallerMessage(message);
}

type Addition = Omit<ExtendInput, "op" | "messageId">;

function smallerExtensions({ messageId, ...given }: ExtendInput): readonly OperationInput[] | undefined {
  return smallerAdditions(given)?.map((addition) => extend(messageId, addition));
}

function smallerAdditions({
  reasoning,
  text,
  parts,
  metadata,
  status,
}: Addition): readonly Addition[] | undefined {
  // In the order in which they take effect.
  const all: readonly Addition[] = [
    ...(reasoning === undefined ? [] : [{ reasoning }]),
    ...(text === undefined ? [] : [{ text }]),
    ...(parts ?? []).map(additionOf),
    ...(metadata === undefined ? [] : [{ metadata }]),
    ...(status === undefined ? [] : [{ status }]),
  ];
  if (all.length !== 1) return all.length === 0 ? undefined : all;
  const [only] = all;
  if (only?.text !== undefined) return halvesOf(only.text)?.map((half) => ({ text: half }));
  if (only?.reasoning !== undefined) return halvesOf(only.reasoning)?.map((half) => ({ reasoning: half }));
  return undefined;
}

/** A part that is text is more text. */
function additionOf(part: object): Addition {
  if (!isRecord(part) || typeof part["text"] !== "string") return { parts: [part] };
  if (part["type"] === "text") return { text: part["text"] };
  return part["type"] === "reasoning" ? { reasoning: part["text"] } : { parts: [part] };
}

/** An answer is begun with the first of what it holds, and extended by the rest. */
function smallerMessage(message: MessageInput): readonly OperationInput[] | undefined {
  const { id, role, content } = message;
  if (role !== "assistant" || id === undefined) return undefined;
  const begun = (first: unknown): OperationInput => append({ ...message, content: first, status: "partial" });
  if (typeof content === "string") {
    const [first, rest] = halvesOf(content) ?? [];
    return rest === undefined ? undefined : [begun(first), extend(id, { text: rest })];
  }
  const [part, ...parts]: readonly unknown[] = Array.isArray(content) ? content : [];
  if (parts.length > 0) return [begun([part]), extend(id, { parts: parts.filter(isRecord) })];
  const [first, rest] = (isRecord(part) ? smallerAdditions(additionOf(part)) : undefined) ?? [];
  if (!isRecord(part) || rest === undefined) return undefined;
  return [begun([{ ...part, text: first?.text ?? first?.reasoning }]), extend(id, rest)];
}

function halvesOf(text: string): readonly [string, string] | undefined {
  if (text.length <= LEAST_CHARS) return undefined;
  const middle = text.length >> 1;
  // Not through the middle of a character that is two code units.
  const at = /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? middle - 1 : middle;
  return [text.slice(0, at), text.slice(at)];
}
