import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { message } from "../chat.js";
import { type Fsync, prefixOf, serverUrl } from "../stores/redis-server.js";
import type { RawLoop } from "./raw-loop.js";

/** What one would write by hand: messages as JSON at the end of lists. */
export interface Pushes {
  readonly fsync: Fsync;
  /** How many go in one pipeline. */
  readonly pushes: number;
  /** To how many lists. */
  readonly lists: number;
}

/** RPUSH on the server that the store uses: nobody is asked to be more durable than the other. */
export function rawRedis({ fsync, pushes, lists }: Pushes): RawLoop {
  const many = pushes === 1 ? "RPUSH" : `pipelines of ${pushes} RPUSH`;
  const to = lists === 1 ? "" : ` to ${lists} lists`;
  return {
    name: `raw ioredis ${many}${to} on the same server (appendfsync ${fsync})`,
    messagesPerAppend: pushes,
    async start(folder) {
      const client = new Redis(serverUrl());
      const prefix = prefixOf(folder);
      return {
        append:
          pushes === 1 ? () => client.rpush(prefix, body(0)) : () => pushed(client, prefix, pushes, lists),
        async [Symbol.asyncDispose]() {
          client.disconnect();
        },
      };
    },
  };
}

async function pushed(client: Redis, prefix: string, pushes: number, lists: number): Promise<void> {
  const pipeline = client.pipeline();
  for (let index = 0; index < pushes; index++) pipeline.rpush(`${prefix}-${index % lists}`, body(index));
  for (const [error] of (await pipeline.exec()) ?? []) if (error !== null) throw error;
}

function body(index: number): string {
  return JSON.stringify({ ...message(index), id: randomUUID(), createdAt: Date.now() });
}
