import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJsonFileStore } from "@sessions/json-file";
import type { SessionStore } from "@sessions/protocol";
import { openRedisStore } from "@sessions/redis";

/** Where the sessions of a run are: any process opens them by this. */
export type SessionsPlace =
  | { readonly kind: "json-file"; readonly root: string }
  | { readonly kind: "redis"; readonly url: string; readonly prefix: string };

/** A new place: on the server that is given, or else in a folder. */
export async function makePlace(redis: string | undefined): Promise<SessionsPlace> {
  if (redis !== undefined) return { kind: "redis", url: redis, prefix: `bot-workers-${crypto.randomUUID()}` };
  return { kind: "json-file", root: await mkdtemp(join(tmpdir(), "bot-workers-")) };
}

export function openPlace(place: SessionsPlace): Promise<SessionStore> {
  if (place.kind === "json-file") return openJsonFileStore({ root: place.root });
  return openRedisStore({ url: place.url }, { prefix: place.prefix });
}

/** Removes all that was made there. */
export async function removePlace(place: SessionsPlace): Promise<void> {
  if (place.kind === "json-file") return rm(place.root, { recursive: true, force: true });
  await using store = await openPlace(place);
  for await (const { id } of store.listSessions({ order: "id-asc" })) await store.deleteSession(id);
}

/** Where to look for what was kept. */
export function placeName(place: SessionsPlace): string {
  return place.kind === "json-file" ? place.root : `${place.url}, prefix ${place.prefix}`;
}
