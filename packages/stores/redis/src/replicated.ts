import { Unanswered, Unconfirmed } from "./error-mapping.js";
import type { RedisContext } from "./redis-context.js";
import type { Work } from "./work.js";

/** Waits for replicas, if that was asked for. */
export async function replicated({ replication }: RedisContext, work: Work, epoch: number): Promise<void> {
  if (replication !== undefined) await applied(replication.confirm(work.sessionId, epoch, work.deadline));
}

/** Of a commit that was applied already: whatever fails now, it was not refused. */
export async function applied(rest: Promise<unknown>): Promise<void> {
  try {
    await rest;
  } catch (error) {
    if (error instanceof Unconfirmed) throw error;
    throw new Unanswered(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
