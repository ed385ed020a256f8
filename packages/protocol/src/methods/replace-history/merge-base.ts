import { invalid } from "../../arguments/invalid-argument.js";
import type { SessionRecord } from "../../backend/session-record.js";
import { SessionError } from "../../errors/session-error.js";
import { pairMessages } from "../../message/links/pair-messages.js";
import type { Message, MessageDraft } from "../../message/message.js";

/** Why a history that was read at `base` cannot be merged into the session. `undefined` if others only added messages. */
export function refusedBase(
  sessionId: string,
  record: SessionRecord | undefined,
  base: number,
): SessionError | undefined {
  const actual = record?.revision ?? 0;
  if (record !== undefined && base > actual)
    return invalid("options.base", `is ${base}, but the session is only at revision ${actual}.`);
  if (base > actual)
    return baseConflict(sessionId, base, actual, "the session that was read then is not there any more");
  return base < (record?.rewrittenAt ?? 0)
    ? baseConflict(sessionId, base, actual, `messages were removed or changed since revision ${base}`)
    : undefined;
}

/** The caller must read the session again and compute a new history. */
export function baseConflict(sessionId: string, base: number, actual: number, why: string): SessionError {
  return SessionError.of(
    "REVISION_CONFLICT",
    `The history of session "${sessionId}" cannot be merged: ${why}. Nothing was changed. Read it again and decide anew.`,
    { sessionId, expected: base, actual },
  );
}

/**
 * The position of the first message that was added after `base`. Nothing was rewritten since then, so all added
 * messages are at the end.
 */
export function firstAddedSince(revisions: readonly number[], base: number): number {
  return revisions.findLastIndex((revision) => revision <= base) + 1;
}

/** Whether the merge would separate a tool call from its result, at least one of which is at or after `since`. */
export function splitsPair(
  live: readonly Message[],
  since: number,
  target: readonly MessageDraft[],
): boolean {
  if (since === live.length) return false;
  const crossing = pairMessages(live).pairs.filter((pair) => Math.max(...pair) >= since);
  if (crossing.length === 0) return false;
  const kept = new Set(namedPairs(target));
  return namedPairs(live, crossing).some((pair) => !kept.has(pair));
}

function namedPairs(
  messages: readonly MessageDraft[],
  pairs: readonly (readonly [number, number])[] = pairMessages(messages).pairs,
): readonly string[] {
  return pairs.map(([first, second]) => JSON.stringify([messages[first]?.id, messages[second]?.id]));
}
