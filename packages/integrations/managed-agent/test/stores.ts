import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJsonFileStore } from "@sessions/json-file";
import { createMemoryData, openMemoryStore } from "@sessions/memory";
import type { SessionStore } from "@sessions/protocol";
import { openSqliteStore } from "@sessions/sqlite";
import { onTestFinished } from "vitest";

/** A place for sessions: every store that is opened there sees the same. */
export interface Place {
  open(): Promise<SessionStore>;
}

/** A kind of store that an agent must work on. A new one joins here. */
export interface StoreKind {
  readonly name: string;
  place(): Promise<Place>;
}

export const storeKinds: readonly StoreKind[] = [
  { name: "memory", place: async () => memoryPlace() },
  { name: "json-file", place: async () => folderPlace(await temporaryFolder()) },
  { name: "sqlite", place: async () => databasePlace(join(await temporaryFolder(), "sessions.db")) },
];

export function memoryPlace(): Place {
  const data = createMemoryData();
  return closing(async () => openMemoryStore({ data }));
}

export function folderPlace(root: string): Place {
  return closing(() => openJsonFileStore({ root, durability: "relaxed" }));
}

function databasePlace(path: string): Place {
  return closing(() => openSqliteStore({ path }));
}

/** Removed when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "sessions-managed-agent-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

function closing(open: () => Promise<SessionStore>): Place {
  return {
    async open() {
      const store = await open();
      onTestFinished(() => store.close());
      return store;
    },
  };
}
