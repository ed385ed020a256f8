import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { resolveStore } from "@sessions/config";
import type { SessionStore, SessionSummary } from "@sessions/json-file";

/** The place of the sessions of a run, for any process. */
export interface SessionsPlace {
  /** The store in the form of SESSIONS_STORE, which workers get. */
  readonly store: string;
  readonly kind: string;
  /** The location for users, without secrets. */
  readonly location: string;
  /** The platform of this run, which distinguishes its conversations from all others in the store. */
  readonly platform: string;
  /** The folder that was created for this run. */
  readonly folder?: string;
}

/** Makes a place: in the selected store, or in a new folder. */
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

/** Removes everything that the run has created. */
export async function removePlace(place: SessionsPlace): Promise<void> {
  if (place.folder !== undefined) return rm(place.folder, { recursive: true, force: true });
  await using store = await openPlace(place);
  for await (const { id } of conversations(store, place)) await store.deleteSession(id);
}

/** The location of the kept sessions, as text. */
export function placeName({ location, platform }: SessionsPlace): string {
  return `${location}, platform ${platform}`;
}

/** Opens the store once before the workers do, so that a store that is missing or cannot be shared is reported at once. */
async function shared(url: string): Promise<Pick<SessionsPlace, "store" | "kind" | "location">> {
  const resolved = await resolveStore(url);
  await using store = await resolved.open();
  const { multiProcess } = store.capabilities;
  if (!multiProcess.supported)
    throw new Error(`Workers cannot share ${resolved.location}: ${multiProcess.reason} Name another store.`);
  return { store: url, kind: resolved.kind, location: resolved.location };
}
