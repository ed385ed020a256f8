import {
  type AppendOperation,
  type CommitRequest,
  frozen,
  type MessageDraft,
  withCreatedAt,
} from "@sessions/protocol/backend";
import type { StoredMessage } from "@sessions/row-engine";
import type { Argument } from "../engine/server.js";
import { rowBody } from "../session/row-text.js";
import type { Appended } from "../session/session-cache.js";

/** As much as one call of append.lua takes: the server does nothing else meanwhile. */
const MAX_MESSAGES = 500;
const MAX_CHARACTERS = 1_000_000;

/** The operation of a request that only adds messages at the end, perhaps for the holder of a turn. */
function plainAppend(request: CommitRequest): AppendOperation | undefined {
  const { ops, ageMs, ifRevision, ifAbsent, ifIdle } = request;
  const [op] = ops;
  if (ops.length !== 1 || op?.op !== "append" || op.messages.length === 0) return undefined;
  if (ageMs !== undefined || ifRevision !== undefined || ifAbsent !== undefined || ifIdle !== undefined)
    return undefined;
  // The state lists messages that are being written.
  for (const message of op.messages) if (message.status === "partial") return undefined;
  return op.messages.length <= MAX_MESSAGES ? op : undefined;
}

export function isPlainAppend(request: CommitRequest): boolean {
  return plainAppend(request) !== undefined;
}

/** A request that only adds messages. */
export interface PlainRequest {
  readonly request: CommitRequest;
  readonly messages: readonly MessageDraft[];
  /** The length of each message's text. */
  readonly lengths: readonly number[];
}

/** Puts the arguments for as many of the first requests as are plain and fit into one call behind `args`. */
export function addPlainRequests(
  requests: readonly CommitRequest[],
  args: Argument[],
): readonly PlainRequest[] {
  const plain: PlainRequest[] = [];
  let messages = 0;
  let characters = 0;
  for (const request of requests) {
    const op = plainAppend(request);
    if (op === undefined || messages + op.messages.length > MAX_MESSAGES || characters > MAX_CHARACTERS)
      break;
    addHead(request, op.messages.length, args);
    const lengths: number[] = [];
    for (const draft of op.messages) {
      const body = rowBody(draft);
      lengths.push(body.length);
      characters += body.length;
      args.push(draft.id, body);
    }
    messages += op.messages.length;
    plain.push({ request, messages: op.messages, lengths });
  }
  return plain;
}

/** What comes before the messages. Most requests have a generated id and no fence: they need the least. */
function addHead({ id, digest, receipt, fence }: CommitRequest, messages: number, args: Argument[]): void {
  const marks = `${fence === undefined ? "" : "f"}${digest === undefined ? "" : "g"}`;
  args.push(`${marks}${messages}`, id);
  if (fence !== undefined) args.push(fence);
  if (digest === undefined) return;
  const ending = receipt === undefined ? "}" : `,"receipt":${JSON.stringify(receipt)}}`;
  args.push(`{"id":${JSON.stringify(id)},"digest":${JSON.stringify(digest)}`, ending);
}

/** What append.lua gives where it has written: see there. */
export interface AppendReply {
  /** After the last of the requests. */
  readonly revision: number;
  readonly at: number;
  /** Of the first message. */
  readonly row: number;
  readonly applied: number;
  readonly isPublished: boolean;
  readonly wasEntered: boolean;
}

export function readAppendReply(reply: string): AppendReply {
  const [revision, at, row, applied, ...notes] = reply.split(" ");
  return {
    revision: Number(revision),
    at: Number(at),
    row: Number(row),
    applied: Number(applied),
    isPublished: !notes.includes("unpublished"),
    wasEntered: notes.includes("entered"),
  };
}

/** What the cache is told of requests that were applied. */
export function appendedBy(plain: readonly PlainRequest[], { revision, at, row }: AppendReply): Appended {
  const given = plain.filter(({ request }) => request.digest !== undefined).length;
  const messages = plain.reduce((sum, { messages }) => sum + messages.length, 0);
  return { applied: plain.length, given, revision, at, nextRow: row + messages };
}

/** The rows that requests have become, as they would be read. */
export function* rowsOf(
  plain: readonly PlainRequest[],
  { revision: last, at, row: first }: AppendReply,
): Generator<{ readonly row: number; readonly stored: StoredMessage; readonly size: number }> {
  let row = first;
  let revision = last - plain.length;
  for (const { messages, lengths } of plain) {
    revision++;
    for (const [index, draft] of messages.entries())
      yield {
        row: row++,
        stored: { message: frozen(withCreatedAt(draft, at)), revision },
        size: lengths[index] ?? 0,
      };
  }
}
