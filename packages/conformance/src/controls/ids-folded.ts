import type { SessionRecord } from "@sessions/protocol/backend";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Names files after ids on a file system that folds case and composes letters. */
export const idsFolded: Control = {
  name: "ids folded together",
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
