import { append, type ExtendInput, extend, type MessageInput, type OperationInput } from "@sessions/protocol";
import { isFields } from "../arguments/fields.js";

/** Shorter texts are not split. */
const MIN_SPLIT_CHARS = 1024;

/**
 * Splits an operation into smaller ones that have the same effect one after the other, so that the first of them can be stored
 * if the whole is too large. `undefined` if it cannot be split.
 */
export function splitOperation(op: OperationInput): readonly OperationInput[] | undefined {
  if (op.op === "extend") return splitExtension(op);
  const [message, ...others] = op.op === "append" ? op.messages : [];
  return message === undefined || others.length > 0 ? undefined : splitMessage(message);
}

type Addition = Omit<ExtendInput, "op" | "messageId">;

function splitExtension({ messageId, ...addition }: ExtendInput): readonly OperationInput[] | undefined {
  return splitAddition(addition)?.map((piece) => extend(messageId, piece));
}

function splitAddition({
  reasoning,
  text,
  parts,
  metadata,
  status,
}: Addition): readonly Addition[] | undefined {
  // In the order in which the fields of one extension take effect.
  const pieces: readonly Addition[] = [
    ...(reasoning === undefined ? [] : [{ reasoning }]),
    ...(text === undefined ? [] : [{ text }]),
    ...(parts ?? []).map(additionOf),
    ...(metadata === undefined ? [] : [{ metadata }]),
    ...(status === undefined ? [] : [{ status }]),
  ];
  if (pieces.length !== 1) return pieces.length === 0 ? undefined : pieces;
  const [only] = pieces;
  if (only?.text !== undefined) return halvesOf(only.text)?.map((half) => ({ text: half }));
  if (only?.reasoning !== undefined) return halvesOf(only.reasoning)?.map((half) => ({ reasoning: half }));
  return undefined;
}

/** A text part has the same effect as text. */
function additionOf(part: object): Addition {
  if (!isFields(part) || typeof part["text"] !== "string") return { parts: [part] };
  if (part["type"] === "text") return { text: part["text"] };
  return part["type"] === "reasoning" ? { reasoning: part["text"] } : { parts: [part] };
}

/** An answer is begun with its first piece and extended by the rest. */
function splitMessage(message: MessageInput): readonly OperationInput[] | undefined {
  const { id, role, content } = message;
  if (role !== "assistant" || id === undefined) return undefined;
  const begun = (first: unknown): OperationInput => append({ ...message, content: first, status: "partial" });
  if (typeof content === "string") {
    const [first, rest] = halvesOf(content) ?? [];
    return rest === undefined ? undefined : [begun(first), extend(id, { text: rest })];
  }
  const [part, ...parts]: readonly unknown[] = Array.isArray(content) ? content : [];
  if (parts.length > 0) return [begun([part]), extend(id, { parts: parts.filter(isFields) })];
  const [first, rest] = (isFields(part) ? splitAddition(additionOf(part)) : undefined) ?? [];
  if (!isFields(part) || rest === undefined) return undefined;
  return [begun([{ ...part, text: first?.text ?? first?.reasoning }]), extend(id, rest)];
}

function halvesOf(text: string): readonly [string, string] | undefined {
  if (text.length <= MIN_SPLIT_CHARS) return undefined;
  const middle = text.length >> 1;
  // Never between the two code units of a surrogate pair.
  const at = /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? middle - 1 : middle;
  return [text.slice(0, at), text.slice(at)];
}
