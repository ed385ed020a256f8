import type { SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { atLeast, type Bar } from "../bar.js";
import type { Measurement } from "../measurement.js";
import { activePage, activeWalk } from "../measurements/active-lists.js";
import { appendsAgainst } from "../measurements/appends-against.js";
import { clusterAgainstNode } from "../measurements/cluster-against-node.js";
import {
  blockWhileColdReading,
  blockWhileReplacing,
  blockWhileWarmReading,
} from "../measurements/event-loop.js";
import { appendGrowth, archiveGrowth, snapshotGrowth, tailGrowth } from "../measurements/growth.js";
import { listGrowth } from "../measurements/list-growth.js";
import { blockInManyConversations, manyConversations } from "../measurements/many-conversations.js";
import { processesOnOneSession } from "../measurements/processes-on-one-session.js";
import { rawRedis } from "../measurements/raw-redis.js";
import { replaceBytes } from "../measurements/replace-bytes.js";
import { serverMemory } from "../measurements/server-memory.js";
import { streamOverhead } from "../measurements/stream-overhead.js";
import { type Fsync, onServer, prefixOf, serverUrl } from "./redis-server.js";
import type { StoreUnderTest } from "./store-under-test.js";

const open = (folder: string): Promise<SessionStore> =>
  openRedisStore({ url: serverUrl() }, { prefix: prefixOf(folder) });

const AT_ONCE = 64;

/** Without a bar: the raw loop checks nothing, and its bar is being replaced by one beside a script that does. */
function oneByOne(fsync: Fsync): Measurement {
  const raw = rawRedis({ fsync, pushes: 1, lists: 1 });
  return onServer(fsync, appendsAgainst(redis, raw, { callers: 1, bar: undefined }));
}

function atOnce(sessions: "one" | "own", bar: Bar): Measurement {
  const raw = rawRedis({ fsync: "everysec", pushes: AT_ONCE, lists: sessions === "own" ? AT_ONCE : 1 });
  return onServer("everysec", appendsAgainst(redis, raw, { callers: AT_ONCE, sessions, bar }));
}

/** Its index is being replaced by one that lists sessions in use as fast as others. */
function withoutBar(measurement: Measurement): Measurement {
  return { ...measurement, bar: undefined };
}

export const redis: StoreUnderTest = {
  name: "redis",
  open,
  openToPrepare: open,
  measurements: () => [
    oneByOne("everysec"),
    oneByOne("always"),
    atOnce("one", atLeast(0.4)),
    atOnce("own", atLeast(0.25)),
    ...[
      appendGrowth(redis, 25),
      tailGrowth(redis),
      replaceBytes(redis),
      snapshotGrowth(redis),
      archiveGrowth(redis),
      processesOnOneSession(redis),
      listGrowth(redis, "common"),
      listGrowth(redis, "rare"),
      withoutBar(activePage(redis)),
      withoutBar(activeWalk(redis)),
      blockWhileColdReading(redis),
      blockWhileWarmReading(redis),
      blockWhileReplacing(redis),
      serverMemory(redis),
      clusterAgainstNode,
      streamOverhead(redis),
      manyConversations(redis),
      blockInManyConversations(redis),
    ].map((measurement) => onServer("everysec", measurement)),
  ],
};
