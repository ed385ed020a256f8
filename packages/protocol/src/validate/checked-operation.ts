import type { Limits } from "../arguments/limits.js";
import type { NextId } from "../ids/call-ids.js";
import { cloneDocument } from "../json/clone-json.js";
import type { Json, JsonObject } from "../json/json.js";
import type { Fields } from "../json/record.js";
import type { MessageDraft } from "../message/message.js";
import type { Operation } from "../operations/operation.js";
import { type CheckedMessage, draftWithId } from "./checked-message.js";

/** An operation that was checked and copied, and still lacks its generated ids. */
export interface CheckedOperation {
  readonly op: Operation["op"];
  /** What the caller passed. Two calls with one commit id are the same request if their fingerprints are equal. */
  readonly fingerprint: () => Json;
  /** Counts against `limits.commitBytes`. */
  readonly bytes: number;
  readonly withIds: (nextId: NextId) => Operation;
}

/** Checks the fields of one kind of operation. */
export type CheckOperation = (input: Fields, path: string, limits: Limits) => Omit<CheckedOperation, "op">;

/** An operation that needs no generated id. */
export function checkedAsIs(operation: Operation, bytes = 0): Omit<CheckedOperation, "op"> {
  return { fingerprint: () => cloneDocument(operation, "operation").value, bytes, withIds: () => operation };
}

/** An operation with messages. Those without an id get a generated one. */
export function checkedWithMessages(
  fields: JsonObject,
  messages: readonly CheckedMessage[],
  operation: (drafts: readonly MessageDraft[]) => Operation,
): Omit<CheckedOperation, "op"> {
  return {
    fingerprint: () => ({ ...fields, messages: messages.map(({ json }) => json) }),
    bytes: messages.reduce((sum, { bytes }) => sum + bytes, 0),
    withIds: (nextId) => operation(draftsWithIds(messages, nextId)),
  };
}

// Not `map`: V8 treats its result as holey, and JSON.stringify is slower on holey arrays.
function draftsWithIds(messages: readonly CheckedMessage[], nextId: NextId): readonly MessageDraft[] {
  const drafts: MessageDraft[] = [];
  for (const message of messages) drafts.push(draftWithId(message, nextId));
  return drafts;
}
