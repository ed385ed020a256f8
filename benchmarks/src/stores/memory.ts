import { createMemoryData, type MemoryData, openMemoryStore, type SessionStore } from "@sessions/memory";
import { blockWhileReplacing, blockWhileWarmReading } from "../measurements/event-loop.js";
import { appendGrowth, tailGrowth } from "../measurements/growth.js";
import { manyAtOnce } from "../measurements/many-at-once.js";
import { blockInManyConversations, manyConversations } from "../measurements/many-conversations.js";
import { streamOverhead } from "../measurements/stream-overhead.js";
import type { StoreUnderTest } from "./store-under-test.js";

let last: { readonly folder: string; readonly data: MemoryData } | undefined;

// A folder stands for data that is opened again, as on the other stores. Only the last one: the others need their room.
async function open(folder: string): Promise<SessionStore> {
  if (last?.folder !== folder) last = { folder, data: createMemoryData() };
  return openMemoryStore({ data: last.data });
}

export const memory: StoreUnderTest = {
  name: "memory",
  open,
  openToPrepare: open,
  measurements: () => [
    manyAtOnce(memory),
    appendGrowth(memory, 100),
    tailGrowth(memory),
    blockWhileWarmReading(memory),
    blockWhileReplacing(memory),
    streamOverhead(memory),
    manyConversations(memory),
    blockInManyConversations(memory),
  ],
};
