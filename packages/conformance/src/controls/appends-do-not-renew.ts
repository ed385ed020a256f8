import type { CommitRequest } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Has a fast path for appends that does not renew the expiry. */
export const appendsDoNotRenew: Control = {
  name: "appends that do not renew the expiry",
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
