import type { NextId } from "../../ids/call-ids.js";
import { equalJson } from "../../json/equal-json.js";
import type { JsonObject } from "../../json/json.js";
import { merged } from "../../json/own-properties.js";
import { isEarlierBody } from "../../message/is-earlier-body.js";
import type { Message, MessageDraft } from "../../message/message.js";
import { isPartial } from "../../state/history.js";
import type { Mutable } from "../../state/mutable.js";
import type { CallerMessages } from "../../validate/caller-messages.js";
import { draftWithId } from "../../validate/checked-message.js";

/** What a caller's history is compared with. */
export interface Known {
  readonly live: readonly Message[];
  /** How many leading messages are the same objects as in the session. */
  readonly same: number;
  /** The position in `live` of the first message that the caller may not have read. */
  readonly since: number;
  /** In a merge: the messages of the newest archive. They may have been live when the caller read the session. */
  readonly merge?: { readonly archived: readonly Message[] };
  readonly nextId: NextId;
}

/** A caller's messages, matched with those of the session. */
export interface Recognised {
  readonly wanted: readonly MessageDraft[];
  /** For each message: its id if it is new, else null. */
  readonly receipt: readonly (string | null)[];
  /** In a merge: why a copy is older than the stored message. It is unknown which of the two the caller wants. */
  readonly stale?: string;
}

/** Gives the caller's messages the ids, times and metadata of the matching messages in the session. */
export function recognise(given: CallerMessages, known: Known): Recognised {
  const { live, same, nextId, merge } = known;
  let byId: ReadonlyMap<string, Message> | undefined; // only if a message has an id
  const holder = (id: string): Message | undefined => {
    byId ??= new Map(live.map((message) => [message.id, message]));
    return byId.get(id);
  };
  const wanted: MessageDraft[] = live.slice(0, same);
  const receipt = new Array<string | null>(same).fill(null);
  let stale: string | undefined;
  for (let index = same; index < given.length; index++) {
    const { json } = given.at(index);
    const { id } = json;
    const held =
      typeof id === "string" ? holder(id) : (sameAt(known, index, json) ?? draftAt(known, index, json));
    if (merge !== undefined) stale ??= staleness(known, index, json, held);
    const fresh = draftWithId(given.at(index), held === undefined ? nextId : () => held.id);
    wanted.push(held === undefined ? fresh : merge && isDraft(held, json) ? held : inherited(fresh, held));
    receipt.push(held === undefined ? fresh.id : null);
  }
  return { wanted, receipt, ...(stale === undefined ? {} : { stale }) };
}

/** Whether the message is a draft, or was one when the caller read it. Then the stored content counts. */
function isDraft(held: Message, json: JsonObject): boolean {
  return isPartial(held) || json["status"] === "partial";
}

/** The stored draft of which the caller's message is an earlier copy without an id. */
function draftAt({ merge, live, since }: Known, index: number, json: JsonObject): Message | undefined {
  const held = merge === undefined || index >= since ? undefined : live[index];
  if (held === undefined || held.role !== json["role"] || !isDraft(held, json)) return undefined;
  return isEarlierBody(json, held) ? held : undefined;
}

/** Why a copy may be older than the stored message. A complete message may have been a draft at the base. */
function staleness(
  { live, since, merge }: Known,
  index: number,
  json: JsonObject,
  held: Message | undefined,
): string | undefined {
  if (held !== undefined) {
    if (isDraft(held, json)) return undefined;
    if (live.indexOf(held, since) >= 0 && !isSame(held, json))
      return `message "${held.id}" was added since with other content`;
    return isEarlierBody(json, held) ? `message "${held.id}" has grown` : undefined;
  }
  if (json["id"] !== undefined) return undefined;
  const there = index < since ? live[index] : undefined;
  if (there !== undefined && there.role === json["role"] && isEarlierBody(json, there))
    return `message "${there.id}" has grown`;
  const archived = merge?.archived.find((message) => isSame(message, json));
  return archived === undefined ? undefined : `message "${archived.id}" has been archived`;
}

function sameAt({ live, since }: Known, index: number, json: JsonObject): Message | undefined {
  const held = index < since ? live[index] : undefined;
  return held !== undefined && isSame(held, json) ? held : undefined;
}

/** Whether a message without an id equals a stored one. */
function isSame(held: Message, json: JsonObject): boolean {
  // Most messages that differ do so here, so new messages are compared without any allocation.
  if (!equalJson(held.content ?? null, json["content"] ?? null)) return false;
  return equalJson(held, inherited(merged({ id: held.id, role: held.role }, json), held));
}

// A missing field was usually removed by a framework. The caller does not mean to delete it.
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
