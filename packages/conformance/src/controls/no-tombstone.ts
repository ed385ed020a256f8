import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Deletes a session without a trace: the next one under this id begins as if nothing had been. */
export const noTombstone: Control = {
  name: "delete without a tombstone",
  caughtBy: "deleteSession",
  breakPlace: (place) => {
    // Each life of an id is kept under a name of its own, so that none knows of the ones before.
    const lives = new Map<string, number>();
    const name = (id: string): string => (lives.has(id) ? `${id} ${lives.get(id)}` : id);
    return withBackend(place, (backend) => ({
      commit: async (requests) => {
        const outcomes = await backend.commit(
          requests.map((request) => ({ ...request, sessionId: name(request.sessionId) })),
        );
        for (const [index, { sessionId, ops }] of requests.entries()) {
          const gone = outcomes[index]?.status === "applied" && ops.some((op) => op.op === "delete");
          if (gone) lives.set(sessionId, (lives.get(sessionId) ?? 1) + 1);
        }
        return outcomes;
      },
      read: (sessionId, select) => backend.read(name(sessionId), select),
      document: (sessionId) => backend.document(name(sessionId)),
    }));
  },
};
