import type { SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";
import { atLeast, atMost, type Bar } from "../bar.js";
import type { Measurement } from "../measurement.js";
import { activePage, activeWalk, type Listing } from "../measurements/active-lists.js";
import { appendsAgainst, cpuAgainst } from "../measurements/appends-against.js";
import { clusterAgainstNode } from "../measurements/cluster-against-node.js";
import {
  blockWhileColdReading,
  blockWhileReplacing,
  blockWhileWarmReading,
} from "../measurements/event-loop.js";
import { extensionBytes } from "../measurements/extension-bytes.js";
import { appendGrowth, archiveGrowth, snapshotGrowth, tailGrowth } from "../measurements/growth.js";
import { indexMemory } from "../measurements/index-memory.js";
import { listGrowth } from "../measurements/list-growth.js";
import { blockInManyConversations, manyConversations } from "../measurements/many-conversations.js";
import { pageAgainstCommands } from "../measurements/page-against.js";
import { processesOnOneSession } from "../measurements/processes-on-one-session.js";
import { rawRedis } from "../measurements/raw-redis.js";
import { rawScript } from "../measurements/raw-script.js";
import { replaceBytes } from "../measurements/replace-bytes.js";
import { serverMemory } from "../measurements/server-memory.js";
import { streamOverhead } from "../measurements/stream-overhead.js";
import { type Fsync, onServer, prefixOf, serverUrl } from "./redis-server.js";
import type { StoreUnderTest } from "./store-under-test.js";

const open = (folder: string): Promise<SessionStore> =>
  openRedisStore({ url: serverUrl() }, { prefix: prefixOf(folder) });

const AT_ONCE = 64;

/** Beside a script that does by hand as much as can be had without checks, and without a bar beside a bare command. */
function oneByOne(fsync: Fsync): readonly Measurement[] {
  const script = rawScript(fsync);
  const push = rawRedis({ fsync, pushes: 1, lists: 1 });
  return [
    appendsAgainst(redis, script, { callers: 1, bar: atLeast(0.7) }),
    cpuAgainst(redis, script, { callers: 1, bar: atMost(2.5) }),
    appendsAgainst(redis, push, { callers: 1, bar: undefined }),
  ].map((measurement) => onServer(fsync, measurement));
}

function atOnce(sessions: "one" | "own", bar: Bar): Measurement {
  const raw = rawRedis({ fsync: "everysec", pushes: AT_ONCE, lists: sessions === "own" ? AT_ONCE : 1 });
  return onServer("everysec", appendsAgainst(redis, raw, { callers: AT_ONCE, sessions, bar }));
}

const LISTINGS: readonly Listing[] = ["recency", "label", "parent", "creation"];

export const redis: StoreUnderTest = {
  name: "redis",
  open,
  openToPrepare: open,
  measurements: () => [
    ...oneByOne("everysec"),
    ...oneByOne("always"),
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
      ...LISTINGS.map((by) => activePage(redis, by)),
      pageAgainstCommands(redis),
      ...LISTINGS.map((by) => activeWalk(redis, by)),
      extensionBytes(redis),
      blockWhileColdReading(redis),
      blockWhileWarmReading(redis),
      blockWhileReplacing(redis),
      serverMemory(redis),
      indexMemory(redis),
      clusterAgainstNode,
      streamOverhead(redis),
      manyConversations(redis),
      blockInManyConversations(redis),
    ].map((measurement) => onServer("everysec", measurement)),
  ],
};
