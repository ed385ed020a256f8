import { setImmediate as nextTask } from "node:timers/promises";
import {
  type CommitRequest,
  type Message,
  type Operation,
  type SessionDocument,
  stateAt,
  timed,
} from "@sessions/protocol/backend";
import { checksum } from "../engine/checksum.js";
import type { CommitContext } from "./commit-batch.js";
import { isDamage } from "../error-mapping.js";
import { placeOf } from "../session/sort-key.js";
import type { RowCache } from "../row-cache.js";
import { firstRow } from "../session/row-number.js";
import { sessionChecksum } from "../session/session-row.js";
import { type Staged, StagedMessages, type StagedPlace } from "../staged.js";
import type { Transactions } from "../engine/transactions.js";
import { indexOpenRows } from "../unindexed-rows.js";

/** From so many messages on a commit is written in parts. */
const STAGED_FROM = 500;
const ROWS_AT_ONCE = 200;

interface StagingContext extends CommitContext {
  readonly transactions: Transactions;
}

/** Whether a request brings so many messages that they should be staged. */
export function isLarge({ ops }: CommitRequest): boolean {
  let count = 0;
  for (const op of ops) count += countIn(op);
  return count >= STAGED_FROM;
}

/**
 * Writes the messages of large commits ahead, a few at a time, so that neither the event loop nor other writers stand
 * still. Nothing of it can be seen. What the commit makes of them is decided when it is applied.
 */
export async function stage(context: StagingContext, requests: readonly CommitRequest[]): Promise<Staged> {
  const staged = new Map<string, StagedMessages>();
  for (const request of requests.filter(isLarge)) {
    const messages = stageable(request, context.rows.cache);
    if (messages.length < STAGED_FROM || staged.has(request.sessionId)) continue;
    const place = await reserve(context, request.sessionId, messages.length);
    if (place !== undefined) staged.set(request.sessionId, await written(context, place, messages));
  }
  return staged;
}

/** After the commit: what it did not use is left to the sweep. */
export async function unstage({ transactions, statements }: StagingContext, staged: Staged): Promise<void> {
  if (staged.size === 0) return;
  await transactions.write(() => {
    for (const { place } of staged.values()) statements.unstageLog.run(place.log);
    return { result: undefined, writes: true };
  });
}

/** Room at the end of the session's own log, or in a new one that will be its own. */
async function reserve(context: StagingContext, id: string, count: number): Promise<StagedPlace | undefined> {
  const { transactions, sessions, now } = context;
  const place = await transactions.write(() => {
    try {
      const session = sessions.get(id);
      const isLive = stateAt(session?.state, now())?.status === "live";
      const result = isLive ? reserveOwn(context, id, count) : reserveNew(context, count);
      return { result, writes: result !== undefined };
    } catch (error) {
      if (!isDamage(error)) throw error;
      return { result: undefined, writes: false }; // the commit will find it too, and say so
    }
  });
  sessions.forget(id);
  return place;
}

function reserveOwn({ statements, now }: StagingContext, id: string, count: number): StagedPlace | undefined {
  const row = statements.session.get(placeOf(id));
  if (row === undefined) return undefined;
  const { log, next_row: first, layout } = row;
  const crc = sessionChecksum({ ...row, next_row: first + count });
  indexOpenRows(statements, first);
  statements.reserveRows.run(first + count, row.version + 1, crc, row.key);
  statements.stageLog.run(now(), log);
  return { log, layout: layout ?? 0, first, count, isNew: false };
}

function reserveNew({ statements, now }: StagingContext, count: number): StagedPlace {
  const log = Number(statements.addLog.run(null, now()).lastInsertRowid);
  return { log, layout: 0, first: firstRow(log), count, isNew: true };
}

async function written(
  context: StagingContext,
  place: StagedPlace,
  messages: readonly Message[],
): Promise<StagedMessages> {
  const staged = new StagedMessages(place);
  for (let from = 0; from < messages.length; from += ROWS_AT_ONCE) {
    const some = messages.slice(from, from + ROWS_AT_ONCE);
    await context.transactions.write(() => {
      some.forEach((message, index) => void writeOne(context, place.first + from + index, message, staged));
      return { result: undefined, writes: true };
    });
    await nextTask();
  }
  return staged;
}

function writeOne(
  { statements, search }: StagingContext,
  row: number,
  message: Message,
  staged: StagedMessages,
): void {
  const body = JSON.stringify(message);
  // The revision is not known yet: the run of rows will say it.
  const crc = checksum(row, message.id, 0, body);
  statements.insertMessage.run(row, staged.place.log, message.id, 0, crc, body);
  search.put(row, message);
  staged.add({ row, message });
}

/** The messages of a request that are not in the table, as they will be if they are added. */
function stageable({ ops, at }: CommitRequest, cache: RowCache): readonly Message[] {
  return ops.flatMap((op) => messagesIn(op, at)).filter((message) => !cache.isKnown(message));
}

function countIn(op: Operation): number {
  if (op.op === "append" || op.op === "splice") return op.messages.length;
  return op.op === "create" || op.op === "adopt" ? op.document.messages.length : 0;
}

function messagesIn(op: Operation, at: number): readonly Message[] {
  if (op.op === "append" || op.op === "splice") return op.messages.map((draft) => timed(draft, at));
  return op.op === "create" || op.op === "adopt" ? documentMessages(op.document) : [];
}

function documentMessages({ messages, snapshots }: SessionDocument): readonly Message[] {
  return [...messages, ...snapshots.flatMap((snapshot) => snapshot.messages)];
}
