import type { SessionRecord } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Uses ids as names in a file system that ignores case and normalises letters. */
export const sessionIdsFolded: Control = {
  name: "similar session ids folded into one",
  caughtBy: "identity",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      commit: (requests) =>
        backend.commit(requests.map((request) => ({ ...request, sessionId: folded(request.sessionId) }))),
      read: async (sessionId, select) => named(sessionId, await backend.read(folded(sessionId), select)),
      document: (sessionId) => backend.document(folded(sessionId)),
    })),
};

function folded(id: string): string {
  return id.normalize("NFC").toLowerCase();
}

function named(id: string, record: SessionRecord | undefined): SessionRecord | undefined {
  return record === undefined ? undefined : { ...record, id };
}
