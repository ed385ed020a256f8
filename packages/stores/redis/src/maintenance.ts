// For tools that look after a store: open the backend alone, list every session, check the index, build it anew, set a
// damaged session aside, count labels.

import { SessionError } from "@sessions/protocol/backend";
import { Deadline } from "./engine/deadline.js";
import { asSessionError } from "./error-mapping.js";
import type { RedisLocation, RedisStoreOptions } from "./options.js";
import { openRedisContext, type RedisContext } from "./redis-context.js";
import { type IndexProblem, indexProblems } from "./upkeep/check-index.js";
import { type LabelCounts, labelCountsOf } from "./upkeep/label-counts.js";
import { type RepairedIndex, repaired } from "./upkeep/repair-index.js";
import { setAside } from "./upkeep/set-aside.js";
import { storedNames } from "./upkeep/stored-names.js";
import { verifySession } from "./upkeep/verify-session.js";

export { openRedisBackend } from "./open-redis-store.js";
export type { IndexProblem } from "./upkeep/check-index.js";
export type { LabelCounts } from "./upkeep/label-counts.js";
export type { RepairedIndex } from "./upkeep/repair-index.js";

/**
 * The ids of all sessions that anything is left of, deleted ones too: by the names of all keys (SCAN on each primary) and by what the
 * index names. `verify` tells which of them are damaged, and which are gone.
 */
export async function* sessionIds(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): AsyncGenerator<string, void> {
  const found = await inspected(location, options, (context) => storedNames(context, deadlineOf(context)));
  for (const { ids } of found) yield* ids;
}

/** What is wrong with the index: partitions that lists and watchers cannot trust. Writes nothing. */
export function checkIndex(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): Promise<readonly IndexProblem[]> {
  return inspected(location, options, indexProblems);
}

/** Builds the index anew from the sessions that there are, wherever it is wrong, and says what cannot be brought back. */
export function repairIndex(
  location: RedisLocation,
  options: RedisStoreOptions = {},
): Promise<RepairedIndex> {
  return inspected(location, options, repaired);
}

/**
 * Renames the keys of a damaged session to names that nothing reads, and takes it out of the index, so that its id can be used again.
 * Returns the new names. INVALID_ARGUMENT if the session is sound: delete it like any other.
 */
export function setDamagedSessionAside(
  location: RedisLocation,
  options: RedisStoreOptions & { readonly sessionId: string },
): Promise<readonly string[]> {
  const { sessionId, ...settings } = options;
  return inspected(location, settings, async (context) => {
    if ((await verifySession(context, sessionId, deadlineOf(context)))?.ok !== false) {
      const message = `Session "${sessionId}" is not damaged. Delete it with deleteSession.`;
      throw SessionError.of("INVALID_ARGUMENT", message, { path: "sessionId", sessionId });
    }
    const names = await setAside(context, sessionId);
    await repaired(context);
    return names;
  });
}

/** How many sessions have each value of each label. */
export function labelCounts(location: RedisLocation, options: RedisStoreOptions = {}): Promise<LabelCounts> {
  return inspected(location, options, (context) => labelCountsOf(context, deadlineOf(context)));
}

async function inspected<Result>(
  location: RedisLocation,
  options: RedisStoreOptions,
  inspect: (context: RedisContext) => Promise<Result>,
): Promise<Result> {
  const context = await openRedisContext(location, options, "inspect");
  try {
    return await inspect(context);
  } catch (error) {
    throw asSessionError(error, context.location);
  } finally {
    context.server.close();
  }
}

function deadlineOf({ clock, deadlineMs }: RedisContext): Deadline {
  return new Deadline(clock, deadlineMs);
}
