import { join } from "node:path";
import { startServer } from "redis-servers";
import type { Pair } from "./pairs.js";

/** Where the two of a pair keep their conversations: each in a folder of its own, or both on one server. */
export interface Place extends AsyncDisposable {
  readonly ours: string;
  readonly theirs: string;
}

export async function openPlace({ ours }: Pair, folder: string): Promise<Place> {
  if (ours.engine === "folder")
    return {
      ours: join(folder, "ours"),
      theirs: join(folder, "theirs"),
      [Symbol.asyncDispose]: async () => undefined, // the folder goes with the measurement
    };
  const server = await startServer({ aof: "everysec", parent: folder });
  return { ours: server.url, theirs: server.url, [Symbol.asyncDispose]: () => server.stop() };
}
