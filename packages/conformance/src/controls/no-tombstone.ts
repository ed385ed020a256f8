import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Keeps no tombstone: the next session under a deleted id begins at revision 1. */
export const noTombstone: Control = {
  name: "delete without a tombstone",
  caughtBy: "deleteSession",
  breakPlace: (place) => {
    // Each incarnation of an id is stored under another id, so that it has no tombstone.
    const incarnations = new Map<string, number>();
    const storedId = (id: string): string => (incarnations.has(id) ? `${id} ${incarnations.get(id)}` : id);
    return withBackend(place, (backend) => ({
      commit: async (requests) => {
        const outcomes = await backend.commit(
          requests.map((request) => ({ ...request, sessionId: storedId(request.sessionId) })),
        );
        for (const [index, { sessionId, ops }] of requests.entries()) {
          const isDeleted = outcomes[index]?.status === "applied" && ops.some((op) => op.op === "delete");
          if (isDeleted) incarnations.set(sessionId, (incarnations.get(sessionId) ?? 1) + 1);
        }
        return outcomes;
      },
      read: (sessionId, select) => backend.read(storedId(sessionId), select),
      document: (sessionId) => backend.document(storedId(sessionId)),
    }));
  },
};
