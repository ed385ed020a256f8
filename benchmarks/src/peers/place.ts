import { join } from "node:path";
import { startServer } from "redis-servers";
import type { Pair } from "./pairs.js";

/** The place of the conversations of a pair: one folder for each, or one server for both. */
export interface Place extends AsyncDisposable {
  readonly ours: string;
  readonly theirs: string;
}

export async function openPlace({ ours }: Pair, folder: string): Promise<Place> {
  if (ours.engine === "folder")
    return {
      ours: join(folder, "ours"),
      theirs: join(folder, "theirs"),
      [Symbol.asyncDispose]: async () => undefined, // the measurement removes its folder
    };
  const server = await startServer({ aof: "everysec", parent: folder });
  return { ours: server.url, theirs: server.url, [Symbol.asyncDispose]: () => server.stop() };
}
