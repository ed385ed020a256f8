import type { MemoryData } from "@sessions/memory";
import { invalid } from "../invalid.js";
import { live } from "../option-rule.js";
import { type StoreKind, storeKind } from "../store-kind.js";
import { commonOptions } from "./common-options.js";

/** `memory:`: a store that ends with its process. */
export const memoryKind: StoreKind = storeKind({
  name: "memory",
  schemes: ["memory"],
  options: { data: live<MemoryData>("what createMemoryData() makes"), ...commonOptions },
  fromUrl({ address }, path) {
    if (address !== "" && address !== "//")
      throw invalid(path, "has an address, and a store in memory has none. Write memory: alone.");
    return {};
  },
  locate: () => "memory:",
  async open(options, around) {
    const { openMemoryStore } = await around.load("@sessions/memory", () => import("@sessions/memory"));
    return openMemoryStore(options);
  },
});
