import {
  type CommitRequest,
  type Message,
  type Operation,
  type SessionDocument,
  stateAt,
  withCreatedAt,
} from "@sessions/protocol/backend";
import type { Deadline } from "./deadline.js";
import type { RedisContext } from "./redis-context.js";
import { listOf } from "./reply.js";
import { reserveRows } from "./reserve-rows.js";
import { rowText } from "./row-text.js";
import { STAGE } from "./scripts.js";
import type { Text } from "./server.js";
import { type StagedMessage, StagedMessages, type StagedPlace } from "./staged.js";

/** From so many messages on, or so much text, a commit is written in parts. */
const STAGED_FROM = 500;
const ROWS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 1_000_000;

/** Until the commit comes, the session that it replaces may get so many more rows. Their numbers are not used again. */
const ROOM = 1_000_000;

/** How long rows that were written ahead are kept without their commit, in milliseconds. */
const STAGED_MS = 3_600_000;

/** A message that will be added, and the revision that it says it was added by; 0 where that is not known yet. */
interface Stageable {
  readonly message: Message;
  readonly revision: number;
}

/** Whether a request brings so many messages that they should be written ahead. */
export function isLarge({ ops }: CommitRequest): boolean {
  let count = 0;
  for (const op of ops) count += countIn(op);
  return count >= STAGED_FROM;
}

/**
 * Writes the messages of a large commit ahead, a few at a time, so that the server does not stand still. Nothing of it can be
 * seen. What the commit makes of them is decided when it is applied.
 */
export async function stage(
  context: RedisContext,
  sessionId: string,
  request: CommitRequest,
  deadline: Deadline,
): Promise<StagedMessages | undefined> {
  const { keys, sessions, nonce } = context;
  const { isLive, at, nextRow } = await sessions.with(sessionId, {}, deadline, ({ state, now, present }) => ({
    isLive: stateAt(state, now)?.status === "live",
    at: now,
    nextRow: present?.head.nextRow ?? 0,
  }));
  const isWhole = request.ops.some((op) => op.op === "create" || op.op === "adopt");
  const messages = stageable(request, at);
  // A whole session becomes one under another key first, and so does one that is not there yet.
  const place =
    isWhole || !isLive
      ? { at, first: nextRow + ROOM, count: messages.length, key: keys.staged(sessionId, nonce()) }
      : await reserveRows(context, sessionId, { at, count: messages.length, ms: STAGED_MS }, deadline);
  return place === undefined ? undefined : written(context, sessionId, place, messages, deadline);
}

/** Rows of a session that is not there were not used, perhaps: they need not wait for their end. */
export async function unstage(
  { server }: RedisContext,
  { place }: StagedMessages,
  deadline: Deadline,
): Promise<void> {
  const { key } = place;
  if (key !== undefined) await server.query(deadline, (client) => client.unlink(key));
}

async function written(
  { keys, server }: RedisContext,
  sessionId: string,
  place: StagedPlace,
  messages: readonly Stageable[],
  deadline: Deadline,
): Promise<StagedMessages | undefined> {
  const key = place.key ?? keys.session(sessionId).session;
  const staged: StagedMessage[] = [];
  for (let from = 0; from < messages.length; ) {
    const args: Text[] = [];
    let characters = 0;
    let count = 0;
    while (from < messages.length && count < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) {
      const one = messages[from];
      if (one === undefined) break;
      const row = place.first + from;
      const text = rowText(one.message, one.revision, 0);
      args.push(row, one.message.id, text);
      staged.push({ row, ...one });
      characters += text.length;
      count++;
      from++;
    }
    const reply = await server.ask(
      STAGE,
      [key],
      [place.reserved ?? "", STAGED_MS, count, ...args],
      deadline.again(),
    );
    const [status] = listOf(reply);
    if (status !== "ok") return undefined; // the session has ended, or is another one: the commit will be decided anew
  }
  return new StagedMessages(place, staged);
}

function countIn(op: Operation): number {
  if (op.op === "append" || op.op === "splice") return op.messages.length;
  return op.op === "create" || op.op === "adopt" ? op.document.messages.length : 0;
}

/** The messages of a request, as they will be if they are added. */
function stageable({ ops }: CommitRequest, at: number): readonly Stageable[] {
  return ops.flatMap((op): readonly Stageable[] => {
    if (op.op === "append" || op.op === "splice")
      return op.messages.map((draft) => ({ message: withCreatedAt(draft, at), revision: 0 }));
    return op.op === "create" || op.op === "adopt" ? documentMessages(op.document) : [];
  });
}

function documentMessages({ messages, revisions, snapshots }: SessionDocument): readonly Stageable[] {
  const own = messages.map((message, index) => ({ message, revision: revisions[index] ?? 0 }));
  const kept = snapshots.flatMap((snapshot) =>
    snapshot.messages.map((message, index) => ({ message, revision: snapshot.revisions[index] ?? 0 })),
  );
  return [...own, ...kept];
}
