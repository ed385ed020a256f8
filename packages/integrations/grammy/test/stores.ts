import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryData, openMemoryStore } from "@sessions/memory";
import type { SessionStore, StoreOptions } from "@sessions/protocol";
import { onTestFinished } from "vitest";
import { openStore, type StorePlace } from "./open-store.mjs";

/** A place for sessions: every store that is opened there sees the same. */
export interface Place {
  open(options?: StoreOptions): Promise<SessionStore>;
}

/** A place that other processes reach too. */
export interface SharedPlace extends Place {
  /** What open-store.mjs opens it by. */
  readonly where: StorePlace;
}

/** The kinds of stores that several processes share. A new one joins here. */
export const sharedKinds = ["json-file", "sqlite"] as const;

/** Every kind of store that a bot must work on. */
export const storeKinds: readonly { readonly name: string; place(): Promise<Place> }[] = [
  { name: "memory", place: async () => memoryPlace() },
  ...sharedKinds.map((name) => ({ name, place: () => sharedPlace(name) })),
];

export function memoryPlace(): Place {
  const data = createMemoryData();
  return { open: (options) => closing(async () => openMemoryStore({ data, ...options })) };
}

export async function sharedPlace(kind: (typeof sharedKinds)[number] = "json-file"): Promise<SharedPlace> {
  const where = { kind, root: await temporaryFolder() };
  return { where, open: (options) => closing(() => openStore({ ...where, ...options })) };
}

/** Removed when the test is over. */
async function temporaryFolder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "sessions-bot-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

async function closing(open: () => Promise<SessionStore>): Promise<SessionStore> {
  const store = await open();
  onTestFinished(() => store.close());
  return store;
}
