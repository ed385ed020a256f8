import type { AppendOperation, CommitRequest } from "@sessions/protocol/backend";
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

/** Puts the arguments for as many of the first requests as are plain and fit into one call behind `args`. */
export function addPlainRequests(
  requests: readonly CommitRequest[],
  args: Argument[],
): readonly CommitRequest[] {
  const plain: CommitRequest[] = [];
  let messages = 0;
  let characters = 0;
  for (const request of requests) {
    const op = plainAppend(request);
    if (op === undefined || messages + op.messages.length > MAX_MESSAGES || characters > MAX_CHARACTERS)
      break;
    addHead(request, op.messages.length, args);
    for (const draft of op.messages) {
      const body = rowBody(draft);
      characters += body.length;
      args.push(draft.id, body);
    }
    messages += op.messages.length;
    plain.push(request);
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
export function appendedBy(plain: readonly CommitRequest[], { revision, at, row }: AppendReply): Appended {
  const given = plain.filter(({ digest }) => digest !== undefined).length;
  const messages = plain.reduce(
    (sum, { ops: [op] }) => sum + (op?.op === "append" ? op.messages.length : 0),
    0,
  );
  return { applied: plain.length, given, revision, at, nextRow: row + messages };
}
