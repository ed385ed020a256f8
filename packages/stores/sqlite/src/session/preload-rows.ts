import type { LoopShare } from "@sessions/protocol/backend";
import { ReadRequired, Runs } from "@sessions/row-engine";
import type { Transactions } from "../engine/transactions.js";
import type { RowTables } from "./sqlite-session-rows.js";

/** How many rows are read before other events of the process may run. */
const ROWS_PER_SLICE = 50;

/** After this many attempts all rows are read at once: others change the session faster than it can be read in slices. */
const MAX_SLICED_ATTEMPTS = 8;

interface PreloadContext {
  readonly rows: RowTables;
  readonly transactions: Transactions;
  readonly share: LoopShare;
}

/** Does synchronous work that reads rows. */
export type ReadRows = <Result>(work: () => Result) => Result;

/**
 * Does something that may need many rows. If it does, they are read in slices, and it is done again: then they are cached.
 * So whatever it returns is of one moment.
 */
export async function withRows<Result>(
  context: PreloadContext,
  attempt: (readRows: ReadRows) => Promise<Result>,
): Promise<Result> {
  const unpin = context.rows.messages.cache.pin();
  try {
    for (let attempts = 0; ; attempts++) {
      const readRows: ReadRows = (work) => reading(context.rows, attempts >= MAX_SLICED_ATTEMPTS, work);
      try {
        return await attempt(readRows);
      } catch (error) {
        if (!(error instanceof ReadRequired) || !(error.wanted instanceof Runs)) throw error;
        await preload(context, error.wanted);
      }
    }
  } finally {
    unpin();
  }
}

function reading<Result>(rows: RowTables, mayReadAll: boolean, work: () => Result): Result {
  rows.mayReadAll = mayReadAll;
  try {
    return work();
  } finally {
    rows.mayReadAll = false;
  }
}

async function preload({ rows, transactions, share }: PreloadContext, runs: Runs): Promise<void> {
  for (let from = 0; from < runs.length; from += ROWS_PER_SLICE) {
    const slice = runs.slice(from, from + ROWS_PER_SLICE);
    await transactions.read(() => rows.messages.load(slice));
    await share.continue();
  }
}
