import type { SessionRecord } from "../backend/session-record.js";
import { equalJson } from "../json/equal-json.js";
import type { Json, JsonObject } from "../json/json.js";
import type { Message, MessageDraft } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import { timed } from "../state/step.js";
import { openCall, type Settled } from "../store/call.js";
import type { ForcibleOptions, MutationResult } from "../store/mutation.js";
import { pause } from "../store/pause.js";
import { commitPlanned, type Plan } from "../store/planned.js";
import type { StoreContext } from "../store/store-context.js";
import {
  field,
  invalid,
  optional,
  requireBoolean,
  requireCount,
  requireOptions,
} from "../validate/argument.js";
import type { NextId } from "../validate/checked-operation.js";
import { namedDraft, requireMessages, type UnnamedDraft } from "../validate/message-draft.js";

/** Messages that can be checked, compared and committed in one task without holding up the event loop. */
const LONG_HISTORY = 1000;

/** Replaces the live messages: the common prefix stays, the rest is spliced, what was known keeps its identity. */
export async function setChatHistory(
  context: StoreContext,
  id: string,
  messages: readonly MessageInput[],
  options: ForcibleOptions & { readonly base?: number | undefined } = {},
): Promise<MutationResult> {
  const { base, force, ...rest } = requireOptions(options);
  optional(base, "options.base", (value, at) => requireCount(value, at));
  optional(force, "options.force", requireBoolean);
  const drafts = requireMessages(messages, "messages", context.limits);
  const given = { messages: drafts.map((draft) => draft.json), ...field("base", base) };
  const call = openCall(context, id, "setChatHistory", given, rest);
  const { outcome, plan } = await commitPlanned(context, call, async (nextId) => {
    // Checking a long history has taken its share of this task; comparing it gets one of its own.
    if (drafts.length > LONG_HISTORY) await pause(context.clock, 0);
    const record = await context.backend.read(id, { messages: "all", revisions: true });
    return planReplace(record, drafts, { base, force, nextId });
  });
  const receipt = outcome.status === "duplicate" ? outcome.receipt : plan?.receipt;
  return {
    revision: outcome.revision,
    duplicate: outcome.status !== "applied",
    messages: newOnes(receipt, drafts, outcome),
  };
}

/** The caller's messages that were not known before. The receipt says which, to a repeat as well. */
function newOnes(receipt: Json | undefined, drafts: readonly UnnamedDraft[], outcome: Settled): Message[] {
  if (outcome.status === "unchanged" || !Array.isArray(receipt)) return [];
  const skipped = new Set(outcome.skipped);
  return receipt.flatMap((id: Json, index) => {
    const draft = drafts[index];
    if (draft === undefined || typeof id !== "string" || skipped.has(id)) return [];
    return [
      timed(
        namedDraft(draft, () => id),
        outcome.at,
      ),
    ];
  });
}

interface ReplaceOptions {
  readonly base: number | undefined;
  readonly force: boolean | undefined;
  readonly nextId: NextId;
}

function planReplace(
  record: SessionRecord | undefined,
  drafts: readonly UnnamedDraft[],
  options: ReplaceOptions,
): Plan {
  const { base, force, nextId } = options;
  const revision = record?.revision ?? 0;
  if (base !== undefined && base > revision)
    throw invalid("options.base", `is ${base}, but the session is only at revision ${revision}.`);
  const live = record?.messages ?? [];
  const revisions = record?.revisions ?? [];
  const since = base === undefined ? live.length : firstSince(revisions, base);
  const wanted = identified(drafts, live, since, nextId);
  const known = new Set(live.map((message) => message.id));
  const receipt = wanted.map((draft) => (known.has(draft.id) ? null : draft.id));
  const named = new Set(wanted.map((draft) => draft.id));
  const others =
    base === undefined
      ? []
      : live.filter((message, index) => (revisions[index] ?? 0) > base && !named.has(message.id));
  const target = [...wanted, ...others];
  const keep = commonPrefix(live, target);
  const ops = [{ op: "splice" as const, keep, messages: target.slice(keep), ...field("force", force) }];
  return keep === live.length && keep === target.length
    ? { ops: [], revision }
    : { ops, ifRevision: revision, receipt };
}

/** Where the run of messages begins that all came after `base`. */
function firstSince(revisions: readonly number[], base: number): number {
  return revisions.findLastIndex((revision) => revision <= base) + 1;
}

/** The caller's messages with the names, times and metadata of those that they are. */
function identified(
  drafts: readonly UnnamedDraft[],
  live: readonly Message[],
  since: number,
  nextId: NextId,
): readonly MessageDraft[] {
  const byId = new Map(live.map((message) => [message.id, message]));
  return drafts.map((draft, index) => {
    const { id } = draft.json;
    const held = typeof id === "string" ? byId.get(id) : sameAt(live, index, since, draft.json);
    const fresh = namedDraft(draft, held === undefined ? nextId : () => held.id);
    return held === undefined ? fresh : inherited(fresh, held);
  });
}

function sameAt(
  live: readonly Message[],
  index: number,
  since: number,
  json: JsonObject,
): Message | undefined {
  const held = index < since ? live[index] : undefined;
  return held !== undefined &&
    equalJson(held, inherited({ ...json, id: held.id, role: held.role, ...json }, held))
    ? held
    : undefined;
}

// What a caller leaves out is usually what a framework stripped, not what the caller wants gone.
function inherited(draft: MessageDraft, held: Message): MessageDraft {
  return {
    ...draft,
    createdAt: draft.createdAt ?? held.createdAt,
    ...field("metadata", draft.metadata ?? held.metadata),
    ...field("status", draft.status ?? held.status),
  };
}

function commonPrefix(live: readonly Message[], target: readonly MessageDraft[]): number {
  let length = 0;
  while (length < live.length && length < target.length && equalJson(live[length], target[length])) length++;
  return length;
}
