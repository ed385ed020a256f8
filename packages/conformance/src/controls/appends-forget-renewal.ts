import type { CommitRequest } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Appends in a fast way that does not know of sliding ends. */
export const appendsForgetRenewal: Control = {
  name: "renewal forgotten by appends",
  caughtBy: "expiry",
  breakPlace: (place) => {
    const forgotten = new Map<string, number>();
    return withBackend(place, (backend) => ({
      commit: async (requests) => {
        for (const { sessionId, ops } of requests) {
          const end = (await backend.read(sessionId, { messages: "none" }))?.expiresAt;
          if (end !== undefined && isAppend(ops)) forgotten.set(sessionId, forgotten.get(sessionId) ?? end);
          else forgotten.delete(sessionId);
        }
        return backend.commit(requests);
      },
      read: async (sessionId, select) => {
        const record = await backend.read(sessionId, select);
        const expiresAt = forgotten.get(sessionId);
        return record?.renewOnUse === true && expiresAt !== undefined ? { ...record, expiresAt } : record;
      },
    }));
  },
};

function isAppend(ops: CommitRequest["ops"]): boolean {
  return ops.every(({ op }) => op === "append");
}
