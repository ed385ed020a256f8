import type { Place } from "@sessions/conformance";
import { createStore, type SessionBackend } from "@sessions/protocol/backend";
import { MemoryBackend } from "../src/memory-backend.js";
import { createMemoryData } from "../src/memory-data.js";
import { failingBackend } from "./failing-backend.js";
import { type Faults, faultyBackend, refuseAll } from "./faulty-backend.js";

/**
 * Memory that can be damaged, dated ahead, emptied and cut off. It stands in for a durable engine so that the sections about
 * these are themselves tested here: that they pass what behaves, and that their controls do not pass.
 */
export function damageablePlace(): Place {
  const data = createMemoryData();
  const faults: Faults = { damaged: new Set<string>(), newer: false, unreachable: false };
  const openBackend = async (): Promise<SessionBackend> => {
    refuseAll(faults);
    return faultyBackend(new MemoryBackend(data, () => Date.now()), faults);
  };
  return {
    openBackend,
    open: async () => createStore(await openBackend()),
    corrupt: async (sessionId) => void faults.damaged.add(sessionId),
    removePart: async (sessionId, number) => {
      if (number > 0) return undefined;
      faults.damaged.add(sessionId);
      return "all that there is";
    },
    plantForeign: async () => undefined, // whatever else is in the memory of the process is beside the data already
    loseEverything: async () => {
      data.states.clear();
    },
    newerFormat: async () => {
      faults.newer = true;
    },
    interrupt: async () => {
      faults.unreachable = true;
      return async () => {
        faults.unreachable = false;
      };
    },
    writeFailures: {
      refused: async () => failingBackend(await openBackend(), "refused"),
      unconfirmed: async () => failingBackend(await openBackend(), "unconfirmed"),
    },
    cleanup: async () => data.states.clear(),
  };
}
