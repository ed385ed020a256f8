import type { SessionRecord } from "../backend/session-record.js";
import { equalJson } from "../json/equal-json.js";
import type { Json, JsonObject } from "../json/json.js";
import { merged } from "../json/merged.js";
import type { Message, MessageDraft } from "../message/message.js";
import type { MessageInput } from "../message/message-input.js";
import type { Mutable } from "../state/mutable.js";
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
import { GivenMessages } from "../validate/given-messages.js";
import { namedDraft } from "../validate/message-draft.js";

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
  const wanted = new GivenMessages(messages, "messages", context.limits);
  const call = openCall(context, id, "setChatHistory", () => requestFor(wanted, base), rest);
  const { outcome, plan } = await commitPlanned(context, call, async (nextId) => {
    // Checking a long history has taken its share of this task; comparing it gets one of its own.
    if (wanted.checked > LONG_HISTORY) await pause(context.clock, 0);
    const revisions = base === undefined ? {} : { revisions: true };
    const record = await context.backend.read(id, { messages: "all", ...revisions });
    return planReplace(record, wanted, { base, force, nextId });
  });
  const receipt = outcome.status === "duplicate" ? outcome.receipt : plan?.receipt;
  return {
    revision: outcome.revision,
    duplicate: outcome.status !== "applied",
    messages: newOnes(receipt, wanted, outcome),
  };
}

/** What makes two calls the same request. */
function requestFor(wanted: GivenMessages, base: number | undefined): Json {
  return { messages: wanted.all().map((draft) => draft.json), ...field("base", base) };
}

/** The caller's messages that were not known before. The receipt says which, to a repeat as well. */
function newOnes(receipt: Json | undefined, wanted: GivenMessages, outcome: Settled): Message[] {
  if (outcome.status === "unchanged" || !Array.isArray(receipt)) return [];
  const skipped = new Set(outcome.skipped);
  return receipt.flatMap((id: Json, index) => {
    if (index >= wanted.length || typeof id !== "string" || skipped.has(id)) return [];
    return [
      timed(
        namedDraft(wanted.at(index), () => id),
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

function planReplace(record: SessionRecord | undefined, given: GivenMessages, options: ReplaceOptions): Plan {
  const { base, force } = options;
  const revision = record?.revision ?? 0;
  if (base !== undefined && base > revision)
    throw invalid("options.base", `is ${base}, but the session is only at revision ${revision}.`);
  const live = record?.messages ?? [];
  const revisions = record?.revisions ?? [];
  const same = givenBack(live, given);
  const since = base === undefined ? live.length : firstSince(revisions, base);
  const { wanted, receipt } = identified(given, live, { ...options, same, since });
  const others = base === undefined ? [] : addedSince(live, revisions, base, wanted);
  const target = [...wanted, ...others];
  const keep = commonPrefix(live, target, same);
  const ops = [{ op: "splice" as const, keep, messages: target.slice(keep), ...field("force", force) }];
  return keep === live.length && keep === target.length
    ? { ops: [], revision }
    : { ops, ifRevision: revision, receipt };
}

/** How many messages at the beginning are the very ones that the session holds. */
function givenBack(live: readonly Message[], given: GivenMessages): number {
  let same = 0;
  while (same < live.length && given.is(same, live[same])) same++;
  return same;
}

function addedSince(
  live: readonly Message[],
  revisions: readonly number[],
  base: number,
  wanted: readonly MessageDraft[],
): readonly Message[] {
  const named = new Set(wanted.map((draft) => draft.id));
  return live.filter((message, index) => (revisions[index] ?? 0) > base && !named.has(message.id));
}

/** Where the run of messages begins that all came after `base`. */
function firstSince(revisions: readonly number[], base: number): number {
  return revisions.findLastIndex((revision) => revision <= base) + 1;
}

interface Identified {
  readonly wanted: readonly MessageDraft[];
  /** For each message its id if it is new. */
  readonly receipt: readonly (string | null)[];
}

/** The caller's messages with the names, times and metadata of those that they are. */
function identified(
  given: GivenMessages,
  live: readonly Message[],
  { same, since, nextId }: { readonly same: number; readonly since: number; readonly nextId: NextId },
): Identified {
  let byId: ReadonlyMap<string, Message> | undefined; // only where a message brings its id
  const holder = (id: string): Message | undefined => {
    byId ??= new Map(live.map((message) => [message.id, message]));
    return byId.get(id);
  };
  const wanted: MessageDraft[] = live.slice(0, same);
  const receipt = new Array<string | null>(same).fill(null);
  for (let index = same; index < given.length; index++) {
    const { json } = given.at(index);
    const { id } = json;
    const held = typeof id === "string" ? holder(id) : sameAt(live, index, since, json);
    const fresh = namedDraft(given.at(index), held === undefined ? nextId : () => held.id);
    wanted.push(held === undefined ? fresh : inherited(fresh, held));
    receipt.push(held === undefined ? fresh.id : null);
  }
  return { wanted, receipt };
}

function sameAt(
  live: readonly Message[],
  index: number,
  since: number,
  json: JsonObject,
): Message | undefined {
  const held = index < since ? live[index] : undefined;
  // Nearly all that differ do so here: a history of new messages is compared without making anything.
  if (held === undefined || !equalJson(held.content ?? null, json["content"] ?? null)) return undefined;
  const same = inherited(merged({ id: held.id, role: held.role }, json), held);
  return equalJson(held, same) ? held : undefined;
}

// What a caller leaves out is usually what a framework stripped, not what the caller wants gone.
function inherited(draft: MessageDraft, held: Message): MessageDraft {
  const kept: Mutable<Pick<Message, "createdAt" | "metadata" | "status">> = {
    createdAt: draft.createdAt ?? held.createdAt,
  };
  const metadata = draft.metadata ?? held.metadata;
  const status = draft.status ?? held.status;
  if (metadata !== undefined) kept.metadata = metadata;
  if (status !== undefined) kept.status = status;
  return merged(draft, kept);
}

function commonPrefix(live: readonly Message[], target: readonly MessageDraft[], same: number): number {
  let length = same;
  while (length < live.length && length < target.length && equalJson(live[length], target[length])) length++;
  return length;
}
