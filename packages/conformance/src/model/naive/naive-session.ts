import type { Json, MessageDraft } from "@sessions/protocol";

/** A message without the time, which the store sets. */
export type NaiveMessage = MessageDraft;

/** An archive and the messages in it. */
export interface NaiveArchive {
  readonly id: string;
  readonly messages: readonly NaiveMessage[];
  readonly summary: string;
}

/** Messages and archives: the state that a snapshot names. */
export interface NaiveView {
  readonly live: readonly NaiveMessage[];
  readonly archives: readonly NaiveArchive[];
}

/**
 * A session as plain arrays. It shares no code with `applyCommit`, so that each checks the other.
 */
export interface NaiveSession extends NaiveView {
  readonly title: string | undefined;
  readonly metadata: Readonly<Record<string, Json>>;
  readonly counters: Readonly<Record<string, number>>;
  readonly snapshots: Readonly<Record<string, NaiveView>>;
}

/** The result of an earlier read of a session. */
export interface NaiveRead {
  readonly revision: number;
  readonly live: readonly NaiveMessage[];
  /** Archived messages, then live ones. */
  readonly all: readonly NaiveMessage[];
}

/** All messages, archived ones first. */
export function allOf({ archives, live }: NaiveView): readonly NaiveMessage[] {
  return [...archives.flatMap((archive) => archive.messages), ...live];
}

export const EMPTY_SESSION: NaiveSession = {
  title: undefined,
  metadata: {},
  counters: {},
  live: [],
  archives: [],
  snapshots: {},
};

/** Whether a cut before this live message separates no tool call from its result. */
function isBoundary(live: readonly NaiveMessage[], at: number): boolean {
  const before = new Set(live.slice(0, at).flatMap(callIds));
  return !live.slice(at).some((message) => resultIds(message).some((id) => before.has(id)));
}

/** The last boundary at or before `end`. */
export function lastBoundary(live: readonly NaiveMessage[], end: number): number {
  let at = end;
  while (at > 0 && !isBoundary(live, at)) at--;
  return at;
}

/** At most `limit` of the newest messages, or the newest group alone if that is larger. */
export function newest(live: readonly NaiveMessage[], limit: number): readonly NaiveMessage[] {
  if (limit === 0) return [];
  const first = Array.from(live.keys()).find((at) => live.length - at <= limit && isBoundary(live, at));
  return live.slice(first ?? lastBoundary(live, live.length - 1));
}

function callIds(message: NaiveMessage): readonly string[] {
  return linksIn(message, "tool-call");
}

function resultIds(message: NaiveMessage): readonly string[] {
  return linksIn(message, "tool-result");
}

function linksIn(message: NaiveMessage, type: string): readonly string[] {
  const { content } = message;
  if (!Array.isArray(content)) return [];
  return content.filter((part) => part.type === type).map((part) => String(part["toolCallId"]));
}
