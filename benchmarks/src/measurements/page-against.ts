import { join } from "node:path";
import { Redis } from "ioredis";
import { alternating, type Cost, costOf } from "../alternating.js";
import { atMost } from "../bar.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import { prefixOf, serverUrl } from "../stores/redis-server.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";
import { PAGE, pageCost, usedSessions } from "./active-lists.js";

const SESSIONS = 10_000;
const TIMES = 10;
/** As the store does: a fair share of each partition's newest, and a few for luck. */
const LEAST_OF_A_PARTITION = 4;

const RECORD_FIELDS = ["revision", "version", "created", "updated", "expires", "deleted"];
const CONTENT_FIELDS = ["state", "parts"];

/** A page of the store, beside the ranges and reads that it takes at least: each partition's newest, then what is listed of fifty. */
export function pageAgainstCommands(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: list ${PAGE} of 10 000 sessions that were all used within the last minute ÷ a raw loop of the same range and read commands`,
    unit: "×",
    bar: atMost(2),
    async measure({ runs, folder }) {
      const where = join(folder, "many");
      await using store = await usedSessions(under, where, SESSIONS, "recency");
      const client = new Redis(serverUrl());
      try {
        const raw = await rawPage(client, prefixOf(where));
        return { values: await alternating(runs, pageCost(store, "recency"), raw) };
      } finally {
        client.disconnect();
      }
    },
  };
}

async function rawPage(client: Redis, prefix: string): Promise<Cost> {
  const tags = await partitionTags(client, prefix);
  const share = Math.max(LEAST_OF_A_PARTITION, Math.ceil((2 * PAGE) / tags.length));
  return costOf(TIMES, async () => {
    const ranges = client.pipeline();
    for (const tag of tags) ranges.zrevrange(`${tag}:recent`, 0, share - 1, "WITHSCORES");
    const newest = newestOf(tags, await replies(ranges));
    const reads = client.pipeline();
    for (const { tag, id } of newest) {
      reads.hmget(`${tag}:record:${id}`, ...RECORD_FIELDS);
      reads.hmget(`${tag}:session:${id}`, ...CONTENT_FIELDS);
    }
    const states = (await replies(reads)).filter((_, index) => index % 2 === 1).map(stateOf);
    ensureEqual("states read", states.length, PAGE);
  });
}

interface Listed {
  readonly tag: string;
  readonly id: string;
  readonly score: number;
}

function newestOf(tags: readonly string[], ranges: readonly unknown[]): readonly Listed[] {
  const all = ranges.flatMap((range, index): Listed[] => {
    const flat = Array.isArray(range) ? range.map(String) : [];
    const tag = tags[index] ?? "";
    return flat.flatMap((id, at) => (at % 2 === 0 ? [{ tag, id, score: Number(flat[at + 1]) }] : []));
  });
  return all.sort((a, b) => b.score - a.score).slice(0, PAGE);
}

/** The JSON behind a checksum, parsed, as whoever lists has to. */
function stateOf(fields: unknown): unknown {
  const [state] = Array.isArray(fields) ? fields.map(String) : [];
  if (state === undefined) throw new Error("a listed session has no state");
  return JSON.parse(state.slice(state.indexOf("{")));
}

/** What all keys of each partition begin with, as the stored keys show it. */
async function partitionTags(client: Redis, prefix: string): Promise<readonly string[]> {
  const suffix = ":recent";
  const tags: string[] = [];
  for await (const keys of client.scanStream({ match: `${prefix}:{*}${suffix}`, count: 1000 }))
    for (const key of Array.isArray(keys) ? keys : []) tags.push(String(key).slice(0, -suffix.length));
  if (tags.length === 0) throw new Error("no partition has sessions");
  return tags;
}

async function replies(pipeline: ReturnType<Redis["pipeline"]>): Promise<readonly unknown[]> {
  return ((await pipeline.exec()) ?? []).map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });
}
