import { randomBytes } from "node:crypto";
import { type ListOrder, type ListQuery, systemClock } from "@sessions/protocol/backend";
import fc from "fast-check";
import { expect, test } from "vitest";
import { clientFactory } from "../../src/engine/connect.js";
import { Server } from "../../src/engine/server.js";
import { Keys, labelKey, type PartitionKeys, suffixOf } from "../../src/keys/keys.js";
import { memberOf } from "../../src/keys/member.js";
import { type ListPosition, positionComparer } from "../../src/listing/list-position.js";
import { PartitionRange, readRanges } from "../../src/listing/partition-range.js";
import type { RedisContext } from "../../src/redis-context.js";
import { within } from "../engine/engine.js";
import { sharedServer } from "../servers.js";

interface Indexed {
  readonly id: string;
  readonly updated: number;
  readonly created: number;
  readonly hasEnded: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

const redis = await sharedServer();
const server = new Server(clientFactory({ url: redis.url }, 5000), systemClock);

/** One partition whose index names these sessions. */
async function indexOf(sessions: readonly Indexed[]): Promise<PartitionKeys> {
  const partition = new Keys(`test-${randomBytes(6).toString("hex")}`, 1).partition(0);
  const counts = new Map<string, number>();
  const add = async (key: string, score: number, id: string): Promise<void> => {
    await server.query(within(), (client) => client.zadd(key, score, memberOf(id)));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const { id, updated, created, hasEnded, labels } of sessions) {
    await add(partition.recent, updated, id);
    await add(partition.created, created, id);
    await add(partition.ids, 0, id);
    if (hasEnded) await add(partition.ends, 1, id);
    for (const [name, value] of Object.entries(labels))
      await add(labelKey(partition, name, value), updated, id);
  }
  const fields = [...counts].flatMap(([key, count]) => [`count:${suffixOf(partition, key)}`, count]);
  await server.query(within(), (client) => client.hset(partition.head, "format", 2, ...fields));
  return partition;
}

async function rangeOf(
  partition: PartitionKeys,
  query: ListQuery,
  after?: ListPosition,
): Promise<PartitionRange> {
  const restore = (): never => expect.unreachable("there is a head");
  // A range asks the server and nothing else.
  const context = { server, location: "redis", partitions: { restore } } as unknown as RedisContext;
  const range = new PartitionRange(partition, query, after);
  while (range.hasMore) await readRanges(context, [range], query, query.limit, within());
  return range;
}

const sessionsArbitrary: fc.Arbitrary<readonly Indexed[]> = fc.uniqueArray(
  fc.record({
    id: fc.string({
      unit: fc.constantFrom("a", "B", "é", "\ud800", "\ue000", "😀", "{", "0"),
      minLength: 1,
      maxLength: 4,
    }),
    updated: fc.integer({ min: 1, max: 6 }),
    created: fc.integer({ min: 1, max: 6 }),
    hasEnded: fc.boolean(),
    labels: fc.record({ x: fc.constantFrom("1", "2"), y: fc.constantFrom("1", "2") }, { requiredKeys: [] }),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
);

const orders: readonly ListOrder[] = [
  "updated-desc",
  "updated-asc",
  "created-desc",
  "created-asc",
  "id-asc",
  "id-desc",
];

function positionIn({ id, updated, created }: Indexed, order: ListOrder): ListPosition {
  if (order.startsWith("updated")) return { time: updated, id };
  return { time: order.startsWith("created") ? created : 0, id };
}

test("a range gives the sessions of its partition that belong to a list, in its order, behind any place", async () => {
  await fc.assert(
    fc.asyncProperty(
      sessionsArbitrary,
      fc.constantFrom(...orders),
      fc.record({ x: fc.constantFrom("1", "2"), y: fc.constantFrom("1", "2") }, { requiredKeys: [] }),
      fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
      fc.option(
        fc.record({ time: fc.integer({ min: 0, max: 7 }), id: fc.constantFrom("", "a", "é", "\ue000", "~") }),
        {
          nil: undefined,
        },
      ),
      fc.integer({ min: 1, max: 4 }),
      async (sessions, order, labels, since, place, limit) => {
        const after = place && (order.startsWith("id") ? { ...place, time: 0 } : place);
        const partition = await indexOf(sessions);
        const query: ListQuery = {
          order,
          labels,
          limit,
          ...(since === undefined ? {} : { updatedSince: since }),
        };
        const range = await rangeOf(partition, query, after);
        const compare = positionComparer(order);
        const expected = sessions
          .filter((one) => !one.hasEnded && one.updated >= (since ?? 0))
          .filter((one) => Object.entries(labels).every(([name, value]) => one.labels[name] === value))
          .map((one) => positionIn(one, order))
          .filter((one) => after === undefined || compare(one, after) > 0)
          .sort(compare);
        expect(range.positions).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test("a range through many sessions that have ended or lack a label gives those behind them", async () => {
  const many = Array.from({ length: 3500 }, (_, n) => ({
    id: `s${n}`,
    updated: n,
    created: 5000 - n,
    hasEnded: n > 1800,
    labels: n % 700 === 0 ? { x: "1", y: "1" } : { x: "1" },
  }));
  const partition = await indexOf(many);
  for (const order of orders) {
    const range = await rangeOf(partition, { order, limit: 50, labels: { x: "1", y: "1" } });
    const expected = [0, 700, 1400].map((n) => `s${n}`);
    const isRising = order === "updated-asc" || order === "created-desc" || order === "id-asc";
    const ids = range.positions.map(({ id }) => id);
    expect(ids, order).toEqual(
      order.startsWith("id")
        ? isRising
          ? ["s0", "s1400", "s700"]
          : ["s700", "s1400", "s0"]
        : isRising
          ? expected
          : expected.toReversed(),
    );
    const plain = await rangeOf(partition, { order, limit: 50 });
    expect(plain.positions).toHaveLength(1801);
    expect(plain.hasEnded).toBe(true);
    const recent = await rangeOf(partition, { order, limit: 50, updatedSince: 1000 });
    expect(recent.positions, order).toHaveLength(801);
  }
});
