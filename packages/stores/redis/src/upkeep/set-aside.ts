import { randomUUID } from "node:crypto";
import { Deadline } from "../engine/deadline.js";
import { suffixOf } from "../keys/keys.js";
import type { RedisContext } from "../redis-context.js";

/** Renames the keys of a session to names that nothing uses. Returns those names. */
export async function setAside(context: RedisContext, sessionId: string): Promise<readonly string[]> {
  const { server, keys, clock, deadlineMs } = context;
  const deadline = new Deadline(clock, deadlineMs);
  const { partition, record, session } = keys.session(sessionId);
  const aside: string[] = [];
  for (const key of [record, session]) {
    const to = `${partition.tag}:aside:${suffixOf(partition, key)}:${randomUUID()}`;
    if ((await server.query(deadline, (client) => client.exists(key))) === 0) continue;
    await server.query(deadline, (client) => client.rename(key, to));
    aside.push(to);
  }
  return aside;
}
