import { createHash, randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { message } from "../chat.js";
import { type Fsync, prefixOf, serverUrl } from "../stores/redis-server.js";
import type { RawLoop } from "./raw-loop.js";

/**
 * What one would write by hand to keep a session that can be listed and followed: a message and the head's fields in a hash, the
 * session's place in a set by last change, and its place in a feed. It checks nothing. The bars are measured against it: it stays as it is.
 */
const SCRIPT = `
local session, head, recent, feed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local revision = redis.call('HINCRBY', session, 'revision', 1)
redis.call('HSET', session, 'message:' .. revision, ARGV[2], 'updated', ARGV[3], 'last', ARGV[4])
local position = redis.call('HINCRBY', head, 'position', 1)
redis.call('ZADD', recent, ARGV[3], ARGV[1])
redis.call('ZADD', feed, position, ARGV[1])
return revision`;

const DIGEST = createHash("sha1").update(SCRIPT).digest("hex");

/** One call of the script for each message, on the server that the store uses. */
export function rawScript(fsync: Fsync): RawLoop {
  return {
    name: `raw ioredis script (a hash and two sorted sets) on the same server (appendfsync ${fsync})`,
    async start(folder) {
      const client = new Redis(serverUrl());
      await client.script("LOAD", SCRIPT);
      const prefix = prefixOf(folder);
      const keys = ["session", "head", "recent", "feed"].map((key) => `${prefix}:${key}`);
      return {
        append: () => client.evalsha(DIGEST, keys.length, ...keys, "s", ...argumentsNow()),
        async [Symbol.asyncDispose]() {
          client.disconnect();
        },
      };
    },
  };
}

/** The message, the time and the message's id. */
function argumentsNow(): readonly [string, number, string] {
  const [id, now] = [randomUUID(), Date.now()];
  return [JSON.stringify({ ...message(0), id, createdAt: now }), now, id];
}
