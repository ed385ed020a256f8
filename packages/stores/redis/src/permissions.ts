import { SessionError } from "@sessions/protocol";
import type { Deadline } from "./deadline.js";
import { isForbidden } from "./error-mapping.js";
import type { Keys } from "./keys.js";
import { textsOf } from "./reply.js";
import { PROBE } from "./scripts.js";
import type { Server } from "./server.js";

/**
 * Throws if the server's user may not use a command that the store needs, and names it. A script does not undo what it has done
 * before it is refused something, so that must not come up in the middle of a commit.
 */
export async function checkPermissions(
  server: Server,
  keys: Keys,
  location: string,
  deadline: Deadline,
): Promise<void> {
  // Each node of a Cluster has its own users. The parts of the index are spread over them.
  const probed = server.client.isCluster ? keys.shards() : keys.shards().slice(0, 1);
  const refused = await Promise.all(
    probed.map(async ({ probe }) => textsOf(await server.ask(PROBE, [probe], [keys.channel], deadline))),
  );
  const forbidden = new Set(refused.flatMap(forbiddenIn));
  if (forbidden.size === 0) return;
  const names = [...forbidden].join(", ");
  throw SessionError.of(
    "STORE_UNAVAILABLE",
    `${location}: this user may not use a command or key that the store needs: ${names}. Nothing was changed. See the list in docs/guide/redis.md.`,
    { retryable: false },
  );
}

/** Of what failed (names and reasons by turns), what is forbidden: RENAME of a key that is not there fails for others, too. */
function forbiddenIn(refused: readonly (string | undefined)[]): readonly string[] {
  return refused.flatMap((name, index) =>
    index % 2 === 0 && name !== undefined && isForbidden(refused[index + 1] ?? "") ? [name] : [],
  );
}
