import type { AppendOperation, CommitRequest, MessageDraft } from "@sessions/protocol/backend";
import { rowBody } from "./row-text.js";
import type { Text } from "./server.js";

/** As much as one call of the script takes: the server does nothing else meanwhile. */
const MOST_MESSAGES = 500;
const MOST_CHARACTERS = 1_000_000;

/** A request for the fast lane: nothing but new messages at the end, perhaps by the holder of a turn. */
function plainAppend(request: CommitRequest): AppendOperation | undefined {
  const { ops, ageMs, ifRevision, ifAbsent, ifIdle } = request;
  const [op] = ops;
  if (ops.length !== 1 || op?.op !== "append" || op.messages.length === 0) return undefined;
  if (ageMs !== undefined || ifRevision !== undefined || ifAbsent !== undefined || ifIdle !== undefined)
    return undefined;
  // The small state lists messages that are being written.
  for (const message of op.messages) if (message.status === "partial") return undefined;
  return op;
}

export function isPlain(request: CommitRequest): boolean {
  return plainAppend(request) !== undefined;
}

/** A request as one call of the script takes it. */
export interface PlainRequest {
  readonly id: string;
  readonly messages: readonly PlainMessage[];
}

interface PlainMessage {
  readonly draft: MessageDraft;
  /** The length of its text. */
  readonly size: number;
}

/** Puts the arguments for as many of the first requests as are plain and fit into one call behind `args`. */
export function addPlainRequests(requests: readonly CommitRequest[], args: Text[]): readonly PlainRequest[] {
  const plain: PlainRequest[] = [];
  let count = 0;
  let characters = 0;
  for (const request of requests) {
    const op = plainAppend(request);
    if (op === undefined || count + op.messages.length > MOST_MESSAGES || characters > MOST_CHARACTERS) break;
    const start = args.length;
    const messages: PlainMessage[] = [];
    addHead(request, op.messages.length, args);
    for (const draft of op.messages) {
      const body = rowBody(draft);
      characters += body.length;
      args.push(draft.id, body);
      messages.push({ draft, size: body.length });
    }
    if (plain.length > 0 && characters > MOST_CHARACTERS) {
      args.length = start;
      break;
    }
    plain.push({ id: request.id, messages });
    count += messages.length;
  }
  return plain;
}

/** What comes before the messages. Most requests have a generated id and no fence: they need the least. */
function addHead({ id, digest, receipt, fence }: CommitRequest, messages: number, args: Text[]): void {
  const marks = `${fence === undefined ? "" : "f"}${digest === undefined ? "" : "g"}`;
  args.push(`${marks}${messages}`, id);
  if (fence !== undefined) args.push(fence);
  if (digest === undefined) return;
  const ending = receipt === undefined ? "}" : `,"receipt":${JSON.stringify(receipt)}}`;
  args.push(`{"id":${JSON.stringify(id)},"digest":${JSON.stringify(digest)}`, ending);
}
