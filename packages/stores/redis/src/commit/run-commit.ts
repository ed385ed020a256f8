import type { Deadline } from "../engine/deadline.js";
import { listOf, textOf } from "../engine/reply.js";
import { COMMIT } from "../engine/scripts.js";
import { unreadableField, unusableIndexKey } from "../error-mapping.js";
import type { RedisContext } from "../redis-context.js";
import { requireFormat } from "../session/load-reply.js";
import { type CommitWrite, commitArguments } from "./commit-write.js";

/** Runs commit.lua once. What it gives is told there. */
export async function runCommit(
  { server, keys, partitions, instanceId, location }: RedisContext,
  sessionId: string,
  write: CommitWrite,
  deadline: Deadline,
): Promise<readonly unknown[]> {
  const { record, session, partition, member } = keys.session(sessionId);
  const sets = write.sets.map(({ key }) => key);
  const names = [record, session, partition.head, partition.feed, partition.entries, ...sets];
  if (write.staged !== undefined) names.push(write.staged);
  const replicationId = await server.replicationId(partition.name, deadline);
  const args = commitArguments({ channel: keys.channel, replicationId, member, instanceId }, write);
  const reply = listOf(await server.runOnce(COMMIT, names, args, deadline));
  const [status, detail, problem] = reply;
  if (status === "broken") throw unusableIndexKey(location, String(detail), textOf(problem) ?? "");
  if (status === "damaged") throw unreadableField(detail, problem);
  if (status === "format" && textOf(detail) !== "") requireFormat(Number(detail));
  if (status === "format") await partitions.restore(deadline);
  return reply;
}
