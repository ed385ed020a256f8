import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { startServer } from "redis-servers";
import { openStore, type StorePlace } from "./open-store.js";
import { type Place, placeOf } from "./place.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A place on which other processes can open stores too. */
export interface SharedPlace extends Place {
  /** The argument for `openStore`, in any process. */
  readonly where: StorePlace;
}

/** The kinds of stores that several processes can share. */
export const sharedKinds = ["json-file", "sqlite", "redis"] as const;

type SharedKind = (typeof sharedKinds)[number];

/** A new place of a kind. */
export async function sharedPlace(kind: SharedKind = "json-file"): Promise<SharedPlace> {
  const where = await newPlace(kind);
  return { where, ...placeOf((options) => openStore(where, options)) };
}

async function newPlace(kind: SharedKind): Promise<StorePlace> {
  if (kind === "json-file") return { kind, root: await temporaryFolder() };
  if (kind === "sqlite") return { kind, path: join(await temporaryFolder(), "sessions.db") };
  return { kind, url: await serverUrl(), prefix: randomUUID() };
}

let server: ReturnType<typeof startServer> | undefined;

/** One server for all tests of this process. It ends with the process. */
async function serverUrl(): Promise<string> {
  server ??= startServer();
  return (await server).url;
}
