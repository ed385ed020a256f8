import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryData, openMemoryStore } from "@sessions/memory";
import type { SessionStore, StoreOptions } from "@sessions/protocol";
import { type RedisServer, startServer } from "redis-servers";
import { afterAll, onTestFinished } from "vitest";
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

/** Where each kind of store that several processes share has its data. A new one joins here. */
const places = {
  "json-file": async () => ({ at: await temporaryFolder() }),
  sqlite: async () => ({ at: await temporaryFolder() }),
  redis: async () => ({ at: (await sharedServer()).url, prefix: randomUUID() }),
} as const;

export type SharedKind = keyof typeof places;

export const sharedKinds: readonly SharedKind[] = ["json-file", "sqlite", "redis"];

/** Every kind of store that a bot must work on. */
export const storeKinds: readonly { readonly name: string; place(): Promise<Place> }[] = [
  { name: "memory", place: async () => memoryPlace() },
  ...sharedKinds.map((name) => ({ name, place: () => sharedPlace(name) })),
];

export function memoryPlace(): Place {
  const data = createMemoryData();
  return { open: (options) => closing(async () => openMemoryStore({ data, ...options })) };
}

export async function sharedPlace(kind: SharedKind): Promise<SharedPlace> {
  const where = { kind, ...(await places[kind]()) };
  return { where, open: (options) => closing(() => openStore({ ...where, ...options })) };
}

let server: Promise<RedisServer> | undefined;
afterAll(async () => (await server)?.stop());

/** One for all tests of a file, started when the first of them needs it. */
function sharedServer(): Promise<RedisServer> {
  server ??= startServer();
  return server;
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
