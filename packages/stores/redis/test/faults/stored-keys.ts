import type { RedisServer, Reply } from "redis-servers";

/** Everything that a server holds under a prefix, each key in words: to compare what is there before and after. */
export async function storedKeys(server: RedisServer, prefix: string): Promise<ReadonlyMap<string, string>> {
  const keys: string[] = [];
  let cursor = "0";
  do {
    const [next, found] = list(await server.call("SCAN", cursor, "MATCH", `${prefix}:*`, "COUNT", 1000));
    keys.push(...list(found).map(String));
    cursor = String(next);
  } while (cursor !== "0");
  const entries = [...new Set(keys)].sort().map(async (key) => [key, await inWords(server, key)] as const);
  return new Map(await Promise.all(entries));
}

async function inWords(server: RedisServer, key: string): Promise<string> {
  const type = String(await server.call("TYPE", key));
  const read: Readonly<Record<string, readonly (string | number)[]>> = {
    string: ["GET", key],
    hash: ["HGETALL", key],
    list: ["LRANGE", key, 0, -1],
    zset: ["ZRANGE", key, 0, -1, "WITHSCORES"],
    set: ["SMEMBERS", key],
  };
  const command = read[type];
  if (command === undefined) throw new Error(`${key} is a ${type}, which nobody expects`);
  const value = await server.call(...command);
  const words =
    type === "hash" ? pairs(list(value)) : type === "set" ? list(value).map(String).sort() : value;
  return JSON.stringify([type, await server.call("PEXPIRETIME", key), words]);
}

function pairs(flat: readonly Reply[]): readonly string[] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [`${name}=${flat[index + 1]}`] : [])).sort();
}

function list(reply: Reply | undefined): readonly Reply[] {
  return Array.isArray(reply) ? reply : [];
}
