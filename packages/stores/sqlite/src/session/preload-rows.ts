import type { LoopShare } from "@sessions/protocol/backend";
import { ReadRequired, Runs } from "@sessions/row-engine";
import type { Transactions } from "../engine/transactions.js";
import { busy } from "../error-mapping.js";
import type { MessageRows } from "./message-rows.js";

/** How many rows are read before other events of the process may run. */
const ROWS_PER_SLICE = 50;

/** Others would have to replace hundreds of messages between any two of these attempts. */
const MAX_ATTEMPTS = 20;

interface PreloadContext {
  readonly rows: { readonly messages: MessageRows };
  readonly transactions: Transactions;
  readonly share: LoopShare;
  readonly path: string;
}

/**
 * Does something that may need many rows. If it does, they are read in slices, and it is done again: then they are cached.
 * So whatever it returns is of one moment.
 */
export async function withRows<Result>(
  context: PreloadContext,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const unpin = context.rows.messages.cache.pin();
  try {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ReadRequired) || !(error.wanted instanceof Runs)) throw error;
        await preload(context, error.wanted);
      }
    }
    throw busy(context.path, performance.now() - startedAt);
  } finally {
    unpin();
  }
}

async function preload({ rows, transactions, share }: PreloadContext, runs: Runs): Promise<void> {
  for (let from = 0; from < runs.length; from += ROWS_PER_SLICE) {
    const slice = runs.slice(from, from + ROWS_PER_SLICE);
    await transactions.read(() => rows.messages.load(slice));
    await share.continue();
  }
}
