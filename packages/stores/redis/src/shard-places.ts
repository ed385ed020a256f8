import type { Deadline } from "./deadline.js";
import type { ShardKeys } from "./keys.js";
import type { Server } from "./server.js";
import { damagedIndex, isWrongType } from "./wrong-type.js";

const PLACES_AT_ONCE = 1000;

/**
 * All sessions that a part of the index knows, without their order: for where another program has written over one of its keys. Two
 * keys name them all, and one of them is enough.
 */
export async function placesIn(
  server: Server,
  { entries, named }: ShardKeys,
  deadline: Deadline,
): Promise<readonly string[]> {
  try {
    return await scanned((cursor) =>
      server.query(deadline, (client) => client.zscan(named, cursor, "COUNT", PLACES_AT_ONCE)),
    );
  } catch (error) {
    if (!isWrongType(error)) throw error;
  }
  try {
    return await scanned((cursor) =>
      server.query(deadline, (client) => client.hscan(entries, cursor, "COUNT", PLACES_AT_ONCE)),
    );
  } catch (error) {
    throw isWrongType(error) ? damagedIndex([entries, named]) : error;
  }
}

type Scan = (cursor: string) => Promise<readonly [string, readonly string[]]>;

async function scanned(scan: Scan): Promise<readonly string[]> {
  const places = new Set<string>();
  let cursor = "0";
  do {
    const [next, page] = await scan(cursor);
    for (let n = 0; n < page.length; n += 2) places.add(page[n] ?? "");
    cursor = next;
  } while (cursor !== "0");
  return [...places];
}
