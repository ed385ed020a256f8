import type { FaultyStore } from "./faulty-store.js";

export async function importStore(module: string): Promise<FaultyStore> {
  const imported: unknown = await import(module);
  if (!isStore(imported)) throw new Error(`${module} does not export open() and interleavesWriters`);
  return imported;
}

function isStore(module: unknown): module is FaultyStore {
  return typeof module === "object" && module !== null && "open" in module && "interleavesWriters" in module;
}
