import {
  field,
  invalid,
  optional,
  requireBoolean,
  requireCount,
  requireOneOf,
  requireString,
  tooLarge,
  within,
} from "../arguments/argument.js";
import type { Limits } from "../arguments/limits.js";
import { oneOrMany, requireItems } from "../arguments/lists.js";
import { type OptionNames, plainCopy, refuseUnknown } from "../arguments/options.js";
import { requireId } from "../arguments/require-id.js";
import { utf8Length } from "../encoding/utf8-length.js";
import { cloneDocument } from "../json/clone-document.js";
import type { Json, JsonObject } from "../json/json.js";
import type { MessageDraft } from "../message/message.js";
import type { Keep, Operation } from "../operations/operation.js";
import { OPERATION_FIELDS, TURN_FIELDS } from "../operations/operation-fields.js";
import {
  namedDraft,
  requireMessage,
  requireMessages,
  requireParts,
  type UnnamedDraft,
} from "./checked-message.js";
import { requireDocument } from "./document/document.js";
import { requireEnd } from "./end-turn.js";
import { requireCounters, requireMetadata, requirePatch } from "./session-fields.js";

/** Gives out the names of one call, in order. */
export type NextId = () => string;

/** An operation that was checked and copied, before names are given out. */
export interface CheckedOperation {
  readonly op: Operation["op"];
  /** What the caller gave: two calls are the same request if this is the same. */
  readonly given: () => Json;
  /** What counts against the limit of one commit. */
  readonly bytes: number;
  readonly named: (nextId: NextId) => Operation;
}

/** Checks an operation. Everything that can be wrong about it is found here, before anything is written. */
export function checkOperation(value: unknown, path: string, limits: Limits): CheckedOperation {
  const input: Input = plainCopy(value, path);
  const op = requireOneOf(input["op"], KINDS, within(path, "op"));
  refuseUnknown(input, fieldsOf(op, input, path), path);
  return { op, ...CHECKS[op](input, path, limits) };
}

function fieldsOf(op: Operation["op"], input: Input, path: string): object {
  if (op !== "turn") return OPERATION_FIELDS[op];
  return TURN_FIELDS[requireOneOf(input["action"], TURN_ACTIONS, within(path, "action"))];
}

/** Checks the operations of one commit, and that they go together. */
export function checkOperations(value: unknown, path: string, limits: Limits): readonly CheckedOperation[] {
  const checked = requireItems(oneOrMany(value, path), path, limits, (input, at) =>
    checkOperation(input, at, limits),
  );
  for (const [index, { op }] of checked.entries()) checkPlace(op, index, checked.length, path);
  const bytes = checked.reduce((sum, op) => sum + op.bytes, 0);
  if (bytes > limits.commitBytes) throw tooLarge(path, bytes, limits.commitBytes);
  return checked;
}

function checkPlace(op: Operation["op"], index: number, length: number, path: string): void {
  if (op === "delete" && length > 1)
    throw invalid(`${path}[${index}]`, "must stand alone: nothing can follow a delete in its commit.");
  if ((op === "create" || op === "adopt") && index > 0)
    throw invalid(`${path}[${index}]`, "must come first in its commit.");
}

type Input = Readonly<Record<string, unknown>>;
type Checked = Omit<CheckedOperation, "op">;
type Check = (input: Input, path: string, limits: Limits) => Checked;

const CHECKS = {
  create: (input, path, limits) => checkDocument("create", input, path, limits),
  adopt: (input, path, limits) => checkDocument("adopt", input, path, limits),
  append(input, path, limits) {
    const drafts = requireMessages(input["messages"], within(path, "messages"), limits);
    const onExisting = requireOneOf(
      input["onExisting"] ?? "fail",
      ["fail", "keep", "replace"],
      within(path, "onExisting"),
    );
    return withMessages({ op: "append", onExisting }, drafts, (messages) => ({
      op: "append",
      messages,
      onExisting,
    }));
  },
  splice(input, path, limits) {
    const keep = requireKeep(input["keep"], within(path, "keep"), limits);
    const drafts = requireMessages(input["messages"] ?? [], within(path, "messages"), limits);
    const force = field("force", optional(input["force"], within(path, "force"), requireBoolean));
    const given = { op: "splice", keep: typeof keep === "number" ? keep : { ...keep }, ...force };
    // A replace may be as long as a session; stores chunk it below the surface.
    return {
      ...withMessages(given, drafts, (messages) => ({ op: "splice", keep, messages, ...force })),
      bytes: 0,
    };
  },
  remove(input, path, limits) {
    const messageIds = requireItems(input["messageIds"], within(path, "messageIds"), limits, (id, at) =>
      requireId(id, at, limits),
    );
    return plain({ op: "remove", messageIds });
  },
  update(input, path, limits) {
    const draft = requireMessage(input["message"], within(path, "message"), limits);
    const id = requireId(draft.json["id"], `${within(path, "message")}.id`, limits);
    return withMessages({ op: "update" }, [draft], ([message]) => ({
      op: "update",
      message: message ?? { id, role: "" },
    }));
  },
  extend(input, path, limits) {
    const messageId = requireId(input["messageId"], within(path, "messageId"), limits);
    const reasoning = optional(input["reasoning"], within(path, "reasoning"), requireString);
    const text = optional(input["text"], within(path, "text"), requireString);
    const parts = optional(input["parts"], within(path, "parts"), (value, at) =>
      requireParts(value, at, limits),
    );
    const metadata = optional(input["metadata"], within(path, "metadata"), (value, at) =>
      requireMetadata(value, at, limits),
    );
    const status = optional(input["status"], within(path, "status"), requireExtendStatus);
    const bytes =
      requireFitting(reasoning, within(path, "reasoning"), limits) +
      requireFitting(text, within(path, "text"), limits);
    return plain(
      {
        op: "extend",
        messageId,
        ...field("reasoning", reasoning),
        ...field("text", text),
        ...field("parts", parts),
        ...field("metadata", metadata),
        ...field("status", status),
      },
      bytes,
    );
  },
  archive(input, path, limits) {
    const through = requireId(input["through"], within(path, "through"), limits);
    const archiveId = optional(input["archiveId"], within(path, "archiveId"), (id, at) =>
      requireId(id, at, limits),
    );
    return {
      given: () => ({ op: "archive", through, ...field("archiveId", archiveId) }),
      bytes: 0,
      named: (nextId) => ({ op: "archive", through, archiveId: archiveId ?? nextId() }),
    };
  },
  "settle-archive"(input, path, limits) {
    const archiveId = requireId(input["archiveId"], within(path, "archiveId"), limits);
    if ((input["summary"] === undefined) === (input["error"] === undefined))
      throw invalid(within(path, "summary"), "or an error must be given, and not both.");
    if (input["summary"] === undefined) {
      return plain({
        op: "settle-archive",
        archiveId,
        error: requireString(input["error"], within(path, "error")),
      });
    }
    const summary = requireString(input["summary"], within(path, "summary"));
    if (utf8Length(summary) > limits.messageBytes)
      throw tooLarge(within(path, "summary"), utf8Length(summary), limits.messageBytes);
    return plain({ op: "settle-archive", archiveId, summary }, utf8Length(summary));
  },
  snapshot(input, path, limits) {
    const name = optional(input["name"], within(path, "name"), (value, at) => requireId(value, at, limits));
    return {
      given: () => ({ op: "snapshot", ...field("name", name) }),
      bytes: 0,
      named: (nextId) => ({ op: "snapshot", name: name ?? nextId() }),
    };
  },
  "drop-snapshot": (input, path, limits) =>
    plain({ op: "drop-snapshot", name: requireId(input["name"], within(path, "name"), limits) }),
  restore(input, path, limits) {
    const force = field("force", optional(input["force"], within(path, "force"), requireBoolean));
    return plain({ op: "restore", name: requireId(input["name"], within(path, "name"), limits), ...force });
  },
  set: (input, path, limits) => plain(requirePatch(input, path, limits)),
  count: (input, path, limits) =>
    plain({ op: "count", deltas: requireCounters(input["deltas"], within(path, "deltas"), limits) }),
  turn(input, path, limits) {
    const action = requireOneOf(input["action"], TURN_ACTIONS, within(path, "action"));
    if (action === "renew") return plain({ op: "turn", action });
    if (action === "interrupt") return checkInterrupt(input, path, limits);
    const { given, sent } = requireEnd(input, path);
    return { ...plain(sent), given: plain(given).given };
  },
  delete: () => plain({ op: "delete" }),
} satisfies Record<Operation["op"], Check>;

const KINDS = [
  "create",
  "adopt",
  "append",
  "splice",
  "remove",
  "update",
  "extend",
  "archive",
  "settle-archive",
  "snapshot",
  "drop-snapshot",
  "restore",
  "set",
  "count",
  "turn",
  "delete",
] as const;

const TURN_ACTIONS = ["renew", "interrupt", "end"] as const;

function checkDocument(op: "create" | "adopt", input: Input, path: string, limits: Limits): Checked {
  const document = requireDocument(input["document"], within(path, "document"), limits);
  return plain({ op, document });
}

function checkInterrupt(input: Input, path: string, limits: Limits): Checked {
  const turnId = optional(input["turnId"], within(path, "turnId"), (id, at) => requireId(id, at, limits));
  const force = optional(input["force"], within(path, "force"), requireBoolean);
  return plain({ op: "turn", action: "interrupt", ...field("turnId", turnId), ...field("force", force) });
}

/** An operation without anything to name. */
function plain(operation: Operation, bytes = 0): Checked {
  return { given: () => cloneDocument(operation, "operation").value, bytes, named: () => operation };
}

function withMessages(
  given: JsonObject,
  drafts: readonly UnnamedDraft[],
  operation: (messages: readonly MessageDraft[]) => Operation,
): Checked {
  return {
    given: () => ({ ...given, messages: drafts.map((draft) => draft.json) }),
    bytes: drafts.reduce((sum, draft) => sum + draft.bytes, 0),
    named: (nextId) => operation(namedDrafts(drafts, nextId)),
  };
}

// Not by `map`, whose arrays count as holey: texts are made of them more slowly.
function namedDrafts(drafts: readonly UnnamedDraft[], nextId: NextId): readonly MessageDraft[] {
  const named: MessageDraft[] = [];
  for (const draft of drafts) named.push(namedDraft(draft, nextId));
  return named;
}

/** The bytes of a text that must fit into one message. */
function requireFitting(text: string | undefined, path: string, limits: Limits): number {
  const bytes = utf8Length(text ?? "");
  if (bytes > limits.messageBytes) throw tooLarge(path, bytes, limits.messageBytes);
  return bytes;
}

function requireExtendStatus(value: unknown, path: string): "partial" | "interrupted" | "complete" {
  return requireOneOf(value, ["partial", "interrupted", "complete"], path);
}

const KEEP: OptionNames<Exclude<Keep, number>> = { through: true, before: true };

function requireKeep(value: unknown, path: string, limits: Limits): Keep {
  if (typeof value === "number") return requireCount(value, path);
  const keep: Input = plainCopy(value, path);
  refuseUnknown(keep, KEEP, path);
  const { through, before } = keep;
  if (through !== undefined && before === undefined)
    return { through: requireId(through, within(path, "through"), limits) };
  if (before !== undefined && through === undefined)
    return { before: requireId(before, within(path, "before"), limits) };
  throw invalid(path, "must be a number of messages, { through: messageId } or { before: messageId }.");
}
