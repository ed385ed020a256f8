import type { CommitRequest, LoopShare, Message } from "@sessions/protocol/backend";
import { stateAt } from "@sessions/protocol/backend";
import { isLarge, messagesToStage, StagedMessages } from "@sessions/row-engine";
import type { Transactions } from "../engine/transactions.js";
import { isDamage } from "../error-mapping.js";
import { firstRowOf } from "../session/row-number.js";
import { sessionChecksum } from "../session/session-row.js";
import { sortKeyOf } from "../session/sort-key.js";
import type { StagedRows } from "./staged-rows.js";
import type { WriteContext } from "./write-context.js";

const ROWS_PER_SLICE = 50;

/** The rows that a large commit may write to. */
interface ReservedRows {
  readonly log: number;
  readonly isNewLog: boolean;
  readonly first: number;
}

export interface StagingContext extends WriteContext {
  readonly transactions: Transactions;
  readonly share: LoopShare;
}

/**
 * Writes the messages of large commits in slices, before the commits themselves. Nothing refers to them, so nothing can be
 * seen of them until the commit. Returns what was staged, by session.
 */
export async function stageMessages(
  context: StagingContext,
  requests: readonly CommitRequest[],
): Promise<ReadonlyMap<string, StagedRows>> {
  const staged = new Map<string, StagedRows>();
  for (const request of requests.filter(isLarge)) {
    const messages = messagesToStage(request, (one) => context.rows.messages.cache.rowOf(one) !== undefined);
    if (messages.length === 0 || staged.has(request.sessionId)) continue;
    await context.share.afterOthers(); // checking so many messages has taken a while
    const reserved = await reserveRows(context, request.sessionId, messages.length);
    if (reserved !== undefined) staged.set(request.sessionId, await writeRows(context, reserved, messages));
  }
  return staged;
}

/** After the commit. What it did not use is swept. */
export async function unstageMessages(
  { transactions, tables }: StagingContext,
  staged: ReadonlyMap<string, StagedRows>,
): Promise<void> {
  await transactions.write(() => {
    for (const { log } of staged.values()) tables.logs.unstage(log);
    return { result: undefined, writes: staged.size > 0 };
  });
}

/** Room at the end of the session's own log, or in a new one that will be its own. */
function reserveRows(context: StagingContext, id: string, count: number): Promise<ReservedRows | undefined> {
  const { transactions, sessions, now } = context;
  return transactions.write(() => {
    try {
      const isLive = stateAt(sessions.get(id)?.state, now())?.status === "live";
      const result = isLive ? reserveInOwnLog(context, id, count) : reserveInNewLog(context);
      const committed = (): void => sessions.forget(id); // its record has changed
      return { result, writes: result !== undefined, committed };
    } catch (error) {
      if (!isDamage(error)) throw error;
      return { result: undefined, writes: false }; // the commit finds the damage too, and reports it
    }
  });
}

function reserveInOwnLog(
  { tables, now }: StagingContext,
  id: string,
  count: number,
): ReservedRows | undefined {
  const row = tables.sessions.get(sortKeyOf(id));
  if (row === undefined) return undefined;
  const { log, next_row: first } = row;
  const reserved = { ...row, next_row: first + count, version: row.version + 1 };
  tables.sessions.reserveRows(row.key, { ...reserved, crc: sessionChecksum(reserved) });
  tables.logs.stage(log, now());
  tables.messageIds.indexBefore(first);
  return { log, isNewLog: false, first };
}

function reserveInNewLog({ tables, now }: StagingContext): ReservedRows {
  const log = tables.logs.add(null, now());
  return { log, isNewLog: true, first: firstRowOf(log) };
}

async function writeRows(
  { transactions, tables, search, share }: StagingContext,
  { log, isNewLog, first }: ReservedRows,
  messages: readonly Message[],
): Promise<StagedRows> {
  for (let from = 0; from < messages.length; from += ROWS_PER_SLICE) {
    const slice = messages.slice(from, from + ROWS_PER_SLICE);
    await transactions.write(() => {
      for (const [index, message] of slice.entries()) {
        const row = first + from + index;
        // The revision is not known before the commit: the session's runs will have it.
        const body = JSON.stringify(message);
        tables.messages.insert(row, log, { id: message.id, revision: 0, body }, true);
        search.put(row, message);
      }
      return { result: undefined, writes: true };
    });
    await share.continue();
  }
  return { log, isNewLog, messages: new StagedMessages(first, messages) };
}
