import type { StoreUnderTest } from "./store-under-test.js";

export async function importStore(module: string): Promise<StoreUnderTest> {
  const imported: unknown = await import(module);
  if (!isStore(imported)) throw new Error(`${module} does not export open() and interleavesWriters`);
  return imported;
}

function isStore(module: unknown): module is StoreUnderTest {
  return typeof module === "object" && module !== null && "open" in module && "interleavesWriters" in module;
}
