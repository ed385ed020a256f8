import { SessionError } from "@sessions/protocol";
import { isForbidden } from "../error-mapping.js";
import type { Deadline } from "./deadline.js";
import { textsOf } from "./reply.js";
import type { Script } from "./script.js";
import type { Server } from "./server.js";

interface ProbeContext {
  readonly server: Server;
  readonly location: string;
  readonly probe: Script;
  /** A key that nobody uses, in each partition. */
  readonly keys: readonly string[];
  /** Where changes are published. */
  readonly channel: string;
}

/**
 * Throws if the server's user may not use a command that the store needs, and names it. A script does not undo what it has done
 * before it is refused something, so that must not come up in the middle of a commit.
 */
export async function checkPermissions(context: ProbeContext, deadline: Deadline): Promise<void> {
  const { server, location, probe, channel } = context;
  // Each node of a Cluster has users of its own. The partitions are spread over them.
  const probed = server.isCluster ? context.keys : context.keys.slice(0, 1);
  const refused = await Promise.all(
    probed.map(async (key) => textsOf(await server.runRetryable(probe, [key], [channel], deadline))),
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
