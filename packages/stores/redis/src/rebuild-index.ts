import { Damage } from "@sessions/protocol/backend";
import { Deadline } from "./deadline.js";
import { asSessionError } from "./error-mapping.js";
import { type ListedSession, listedSession } from "./listed-session.js";
import type { RedisLocation, RedisStoreOptions } from "./options.js";
import { openRedisContext, type RedisContext } from "./redis-context.js";
import { scanSessions } from "./scan-sessions.js";

/** What was found. */
export interface RebuiltIndex {
  /** How many sessions there are. */
  readonly sessions: number;
  /** How many of them the index did not know. */
  readonly missing: number;
  /** Sessions that cannot be read, and so cannot be listed. They are left as they are. */
  readonly damaged: readonly string[];
}

/**
 * Tells the index of every session that there is: after a part of the data was lost or restored. It takes nothing away, and may
 * run while the store is used.
 */
export async function rebuildIndex(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): Promise<RebuiltIndex> {
  const context = await openRedisContext(location, options);
  let [sessions, missing] = [0, 0];
  const damaged: string[] = [];
  try {
    for await (const id of scanSessions(context)) {
      const deadline = new Deadline(context.clock, context.deadlineMs);
      const session = await readable(context, id, deadline);
      if (session === "damaged") damaged.push(id);
      else if (session !== undefined) {
        sessions++;
        const [known] = await context.index.entries([id], deadline);
        if (known === undefined) missing++;
        await enter(context, id, session, deadline);
      }
    }
    return { sessions, missing, damaged };
  } catch (error) {
    throw asSessionError(error, context.location);
  } finally {
    await context.index.close();
    context.server.client.disconnect();
  }
}

async function readable(
  context: RedisContext,
  id: string,
  deadline: Deadline,
): Promise<ListedSession | "damaged" | undefined> {
  try {
    return await listedSession(context, id, deadline);
  } catch (error) {
    if (error instanceof Damage) return "damaged";
    throw error;
  }
}

async function enter(
  { index }: RedisContext,
  id: string,
  { summary, lease }: ListedSession,
  deadline: Deadline,
): Promise<void> {
  const { labels, parent, createdAt, expiresAt, updatedAt } = summary;
  const entry = {
    bound: Math.max(lease, updatedAt),
    createdAt,
    endsAt: expiresAt,
    isNew: false,
    labels: Object.entries(labels),
    parent: parent?.sessionId,
  };
  index.followed(id, await index.enter(id, entry, deadline), deadline);
}
