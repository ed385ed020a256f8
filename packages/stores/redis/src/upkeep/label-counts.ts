import { parseStored } from "@sessions/protocol/backend";
import type { Deadline } from "../engine/deadline.js";
import { FIELDS } from "../keys/fields.js";
import type { RedisContext } from "../redis-context.js";

/** How many sessions have each value of each label. Those that have expired count until they are taken out of the index. */
export type LabelCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

const LABEL_COUNT = `${FIELDS.COUNT}label:`;

/** By the counts in the heads of the partitions: no session is read. */
export async function labelCountsOf(
  { server, keys }: RedisContext,
  deadline: Deadline,
): Promise<LabelCounts> {
  const heads = await Promise.all(
    keys.partitions.map(async ({ head }) => ({
      head,
      fields: await server.query(deadline, (client) => client.hgetall(head)),
    })),
  );
  const counts = new Map<string, Map<string, number>>();
  for (const { head, fields } of heads)
    for (const [field, count] of Object.entries(fields)) {
      if (!field.startsWith(LABEL_COUNT)) continue;
      const [name, value] = parseStored<readonly [string, string]>(field.slice(LABEL_COUNT.length), head);
      const values = counts.get(name) ?? new Map<string, number>();
      values.set(value, (values.get(value) ?? 0) + Number(count));
      counts.set(name, values);
    }
  return counts;
}
