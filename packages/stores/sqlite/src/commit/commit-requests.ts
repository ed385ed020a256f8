import type { CommitRequest } from "@sessions/protocol/backend";
import { isLarge } from "@sessions/row-engine";
import { withRows } from "../session/preload-rows.js";
import type { Warnings } from "../upkeep/warnings.js";
import { CommitBatch, DamagedSession } from "./commit-batch.js";
import { type StagingContext, stageMessages, unstageMessages } from "./stage-messages.js";
import type { StagedRows } from "./staged-rows.js";

interface CommitContext extends StagingContext {
  readonly warnings: Warnings;
}

type Staged = ReadonlyMap<string, StagedRows>;

const NOTHING_STAGED: Staged = new Map();

/** Carries out requests together, in one transaction. */
export async function commitRequests(
  context: CommitContext,
  requests: readonly CommitRequest[],
): Promise<CommitBatch> {
  const staged = requests.some(isLarge) ? await stageMessages(context, requests) : NOTHING_STAGED;
  if (staged.size === 0) return commitStaged(context, requests, staged);
  try {
    return await commitStaged(context, requests, staged);
  } finally {
    await unstage(context, staged);
    await context.share.afterOthers(); // a large commit is much work for its caller, too
  }
}

function commitStaged(
  context: CommitContext,
  requests: readonly CommitRequest[],
  staged: Staged,
): Promise<CommitBatch> {
  return withRows(context, async () => {
    const suspected = new Set<string>();
    const damaged = new Map<string, unknown>();
    for (;;) {
      try {
        return await commitWithout(damaged, context, requests, staged);
      } catch (error) {
        if (!(error instanceof DamagedSession)) throw error;
        const { sessionId, cause } = error;
        // SQLite reports a failed read (EIO) as damage. Only damage that a second transaction meets again is there.
        if (suspected.has(sessionId)) damaged.set(sessionId, cause);
        suspected.add(sessionId);
      }
    }
  });
}

function commitWithout(
  damaged: ReadonlyMap<string, unknown>,
  context: CommitContext,
  requests: readonly CommitRequest[],
  staged: Staged,
): Promise<CommitBatch> {
  const decide = (): CommitBatch => {
    const batch = new CommitBatch(context, staged, damaged);
    for (const request of requests) batch.decide(request);
    return batch;
  };
  const { transactions } = context;
  // Requests that only ask whether a commit id is known need not wait for writers.
  if (requests.every(({ ops }) => ops.length === 0)) return transactions.read(decide);
  return transactions.write(() => {
    const result = decide();
    result.write();
    return { result, writes: result.hasWritten, committed: () => result.remember() };
  });
}

/** Never fails: what the commit came to is decided. What stays behind is swept later. */
async function unstage(context: CommitContext, staged: Staged): Promise<void> {
  try {
    await unstageMessages(context, staged);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    context.warnings.set("staging", `Rows of a large commit stay for an hour: ${problem}`);
  }
}
