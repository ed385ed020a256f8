import type { Deadline } from "./deadline.js";
import type { ShardKeys } from "./keys.js";
import { idOf } from "./place.js";
import { textsOf } from "./reply.js";
import type { Server } from "./server.js";

/**
 * A session that the index was told of. It is told before the commit; until that has followed, or for ever if it was refused or its
 * writer has died, the bound of the last change may be later than that by any time, and the time of creation may be that of a creator who
 * came too late. So lists look at such sessions themselves.
 */
export interface Told {
  readonly id: string;
  /** When, by the clock of the index's server. */
  readonly at: number;
}

/** Those of one part of the index. */
export async function toldIn(
  server: Server,
  { told }: ShardKeys,
  deadline: Deadline,
): Promise<readonly Told[]> {
  const all = [told, "0", "-1", "WITHSCORES"];
  const found = textsOf(await server.query(deadline, (client) => client.call("zrange", all)));
  const sessions: Told[] = [];
  for (let n = 0; n < found.length; n += 2)
    sessions.push({ id: idOf(found[n] ?? ""), at: Number(found[n + 1]) });
  return sessions;
}
