import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { resolveStore } from "@sessions/config";
import type { SessionStore, SessionSummary } from "@sessions/json-file";

/** Where the sessions of a run are: any process opens them by this. */
export interface SessionsPlace {
  /** The store, as SESSIONS_STORE names it. Workers get it that way. */
  readonly store: string;
  readonly kind: string;
  /** For people: without secrets. */
  readonly location: string;
  /** Of this run alone: its conversations are told from all others in the store by it. */
  readonly platform: string;
  /** A folder that was made for this run. */
  readonly folder?: string;
}

/** A new place: in the store that is given, or else in a folder of its own. */
export async function makePlace(given: string | undefined): Promise<SessionsPlace> {
  const platform = `load-${crypto.randomUUID()}`;
  if (given !== undefined) return { platform, ...(await shared(given)) };
  const folder = await mkdtemp(join(tmpdir(), "bot-workers-"));
  return { platform, folder, ...(await shared(pathToFileURL(folder).href)) };
}

export async function openPlace({ store }: SessionsPlace): Promise<SessionStore> {
  return (await resolveStore(store)).open();
}

/** The conversations of the run. */
export function conversations(
  store: SessionStore,
  { platform }: SessionsPlace,
): AsyncIterable<SessionSummary> {
  return store.listSessions({ labels: { bot: "conversation", platform }, order: "id-asc" });
}

/** Removes all that was made there. */
export async function removePlace(place: SessionsPlace): Promise<void> {
  if (place.folder !== undefined) return rm(place.folder, { recursive: true, force: true });
  await using store = await openPlace(place);
  for await (const { id } of conversations(store, place)) await store.deleteSession(id);
}

/** Where to look for what was kept. */
export function placeName({ location, platform }: SessionsPlace): string {
  return `${location}, platform ${platform}`;
}

/** Opened once before anybody else does: a store that is not there, or that workers cannot share, is told at once. */
async function shared(url: string): Promise<Pick<SessionsPlace, "store" | "kind" | "location">> {
  const resolved = await resolveStore(url);
  await using store = await resolved.open();
  const { multiProcess } = store.capabilities;
  if (!multiProcess.supported)
    throw new Error(`Workers cannot share ${resolved.location}: ${multiProcess.reason} Name another store.`);
  return { store: url, kind: resolved.kind, location: resolved.location };
}
