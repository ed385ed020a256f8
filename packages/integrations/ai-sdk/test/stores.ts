import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemoryStore } from "@sessions/memory";
import type { SessionStore } from "@sessions/protocol";
import { onTestFinished } from "vitest";
import { openStore, sharedKinds } from "./open-store.mjs";

/** A kind of store that a session must work on. */
export interface StoreKind {
  readonly name: string;
  open(): Promise<SessionStore>;
}

export const storeKinds: readonly StoreKind[] = [
  { name: "memory", open: async () => closing(openMemoryStore()) },
  ...sharedKinds.map((kind) => ({
    name: kind,
    open: async () => closing(await openStore({ kind, root: await temporaryFolder() })),
  })),
];

/** Closed when the test is over. */
export function closing(store: SessionStore): SessionStore {
  onTestFinished(() => store.close());
  return store;
}

/** Removed when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "sessions-ai-sdk-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}
