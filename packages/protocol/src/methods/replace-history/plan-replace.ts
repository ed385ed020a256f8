import { field } from "../../arguments/optional-field.js";
import type { SessionRecord } from "../../backend/session-record.js";
import type { Plan } from "../../commit/commit-planned.js";
import type { NextId } from "../../ids/call-ids.js";
import { equalJson } from "../../json/equal-json.js";
import type { Message, MessageDraft } from "../../message/message.js";
import type { CallerMessages } from "../../validate/caller-messages.js";
import { baseConflict, firstAddedSince, refusedBase, splitsPair } from "./merge-base.js";
import { recognise } from "./recognise-messages.js";

interface ReplaceOptions {
  readonly sessionId: string;
  readonly base: number | undefined;
  readonly force: boolean | undefined;
  readonly nextId: NextId;
  /** In a merge of messages without ids: the messages of the newest archive. */
  readonly archived: readonly Message[];
}

/** The splice that makes `given` the live messages. With a base, messages that others added since then follow them. */
export function planReplace(
  record: SessionRecord | undefined,
  given: CallerMessages,
  { sessionId, base, force, nextId, archived }: ReplaceOptions,
): Plan {
  const revision = record?.revision ?? 0;
  const refused = base === undefined ? undefined : refusedBase(sessionId, record, base);
  if (refused !== undefined) return { ops: [], refused };
  const live = record?.messages ?? [];
  const same = givenBack(live, given);
  const merge = base === undefined || base === revision ? undefined : { base, archived };
  const since = merge === undefined ? live.length : firstAddedSince(record?.revisions ?? [], merge.base);
  const { wanted, receipt, stale } = recognise(given, {
    live,
    same,
    since,
    nextId,
    ...field("merge", merge),
  });
  const target = [...wanted, ...notAmong(wanted, live.slice(since))];
  if (merge !== undefined) {
    const why = stale ?? (splitsPair(live, since, target) ? SPLIT_PAIR : undefined);
    if (why !== undefined) return { ops: [], refused: baseConflict(sessionId, merge.base, revision, why) };
  }
  const keep = commonPrefix(live, target, same);
  const ops = [{ op: "splice" as const, keep, messages: target.slice(keep), ...field("force", force) }];
  return keep === live.length && keep === target.length
    ? { ops: [], revision }
    : { ops, ifRevision: revision, receipt };
}

const SPLIT_PAIR = "a tool call and its result, one of which was added since, would not stay together";

/** How many leading messages are the same objects as in the session. */
function givenBack(live: readonly Message[], given: CallerMessages): number {
  let same = 0;
  while (same < live.length && given.is(same, live[same])) same++;
  return same;
}

function notAmong(wanted: readonly MessageDraft[], added: readonly Message[]): readonly Message[] {
  if (added.length === 0) return added;
  const named = new Set(wanted.map((draft) => draft.id));
  return added.filter((message) => !named.has(message.id));
}

function commonPrefix(live: readonly Message[], target: readonly MessageDraft[], same: number): number {
  let length = same;
  while (length < live.length && length < target.length && equalJson(live[length], target[length])) length++;
  return length;
}
