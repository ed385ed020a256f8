import { readable } from "../arguments/invalid-argument.js";
import { requireOptions } from "../arguments/options.js";
import type { MessageInput } from "../message/message-input.js";
import type { SessionDocument } from "../session/session-document.js";
import type { Keep, OnExisting } from "./operation.js";
import { OPERATION_FIELDS } from "./operation-fields.js";
import type { ExtendInput, OperationInput, SetInput } from "./operation-input.js";

const { op: _set, ...PATCH } = OPERATION_FIELDS.set;
const { op: _extend, messageId: _messageId, ...EXTENSION } = OPERATION_FIELDS.extend;
const { op: _settle, archiveId: _archiveId, ...SUMMARY_RESULT } = OPERATION_FIELDS["settle-archive"];

/** One item or several. */
export type OneOrMany<Item> = Item | readonly Item[];

/** One item or several, as an array. */
export function many<Item>(items: OneOrMany<Item>): readonly Item[] {
  return readable("items", () => (isMany(items) ? items : [items]));
}

function isMany<Item>(items: OneOrMany<Item>): items is readonly Item[] {
  return Array.isArray(items);
}

/** Adds messages at the end. */
export function append(
  messages: OneOrMany<MessageInput>,
  options: { readonly onExisting?: OnExisting } = {},
): OperationInput {
  return { op: "append", messages: many(messages), ...requireOptions(options, { onExisting: true }) };
}

/** Keeps the first live messages, drops the rest, then adds `messages`. */
export function splice(
  keep: Keep,
  messages: readonly MessageInput[] = [],
  options: { readonly force?: boolean } = {},
): OperationInput {
  return { op: "splice", keep, messages, ...requireOptions(options, { force: true }) };
}

/** Removes live messages by id. */
export function remove(messageIds: OneOrMany<string>): OperationInput {
  return { op: "remove", messageIds: many(messageIds) };
}

/** Replaces the live message that has this id. */
export function update(message: MessageInput & { readonly id: string }): OperationInput {
  return { op: "update", message };
}

/** Appends reasoning, text or parts to a live message, sets its metadata, or finishes it. */
export function extend(messageId: string, addition: Omit<ExtendInput, "op" | "messageId">): OperationInput {
  return { op: "extend", messageId, ...requireOptions(addition, EXTENSION, "addition") };
}

/** Archives the live messages through this one. */
export function archive(through: string, options: { readonly archiveId?: string } = {}): OperationInput {
  return { op: "archive", through, ...requireOptions(options, { archiveId: true }) };
}

/** Settles an archive's summary. */
export function settleArchive(
  archiveId: string,
  result: { readonly summary: string } | { readonly error: string },
): OperationInput {
  return { op: "settle-archive", archiveId, ...requireOptions(result, SUMMARY_RESULT, "result") };
}

/** Saves the present messages and archives under a name. */
export function snapshot(name?: string): OperationInput {
  return name === undefined ? { op: "snapshot" } : { op: "snapshot", name };
}

/** Forgets a snapshot. */
export function dropSnapshot(name: string): OperationInput {
  return { op: "drop-snapshot", name };
}

/** Goes back to a snapshot. */
export function restore(name: string, options: { readonly force?: boolean } = {}): OperationInput {
  return { op: "restore", name, ...requireOptions(options, { force: true }) };
}

/** Sets title, labels, metadata keys or expiry; `null` removes. */
export function set(patch: Omit<SetInput, "op">): OperationInput {
  return { op: "set", ...requireOptions(patch, PATCH, "patch") };
}

/** Adds to integer counters. */
export function count(deltas: Readonly<Record<string, number>>): OperationInput {
  return { op: "count", deltas };
}

/** Creates a session from a whole document. */
export function create(document: SessionDocument): OperationInput {
  return { op: "create", document };
}

/** Replaces an existing session with a document. Needs `ifRevision`. */
export function adopt(document: SessionDocument): OperationInput {
  return { op: "adopt", document };
}

/** Asks the running turn to stop; `force` ends it. */
export function interruptTurn(
  options: { readonly turnId?: string; readonly force?: boolean } = {},
): OperationInput {
  return {
    op: "turn",
    action: "interrupt",
    ...requireOptions(options, { turnId: true, force: true }),
  };
}

/**
 * Ends the turn whose token is the commit's `fence`. A completed turn finishes its partial messages unless `drafts` says
 * otherwise. Any other end marks them interrupted.
 */
export function endTurn(
  outcome: "completed" | "failed" | "interrupted" | "released",
  error?: string,
  options: { readonly drafts?: "finish" | "interrupt" } = {},
): OperationInput {
  return error === undefined
    ? { op: "turn", action: "end", outcome, ...options }
    : { op: "turn", action: "end", outcome, error, ...options };
}

/** Deletes the session. */
export function deletion(): OperationInput {
  return { op: "delete" };
}
