import type { SessionDocument } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Keeps unknown fields of a bundle in the memory of the importing instance and does not store them. */
export const unknownFieldsInMemoryOnly: Control = {
  name: "unknown fields known to the importing instance only",
  caughtBy: "foreign bundles",
  breakPlace: (place) =>
    withBackend(place, (backend) => {
      const imported = new Set<string>();
      return {
        commit: (requests) => {
          for (const { sessionId, ops } of requests)
            if (ops.some((op) => op.op === "create")) imported.add(sessionId);
          return backend.commit(requests);
        },
        document: async (sessionId) => {
          const document = await backend.document(sessionId);
          return document === undefined || imported.has(sessionId) ? document : withoutAdded(document);
        },
      };
    }),
};

function withoutAdded(document: SessionDocument): SessionDocument {
  const { snapshots } = document;
  const known: SessionDocument = { ...document, snapshots: snapshots.map((snapshot) => ({ ...snapshot })) };
  for (const record of [known, ...known.snapshots]) Reflect.deleteProperty(record, "added");
  return known;
}
